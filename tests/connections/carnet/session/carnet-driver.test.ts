import {
  type ContentHash,
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineSkill,
  defineTool,
  type Entry,
  type EventLog,
  type MemoryLog,
  VirtualWorkspace,
} from 'loadout'
import { Carnet } from 'loadout/carnet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CarnetDriver } from '../../../../src/connections/carnet/session/carnet-driver.ts'
import { aManifest } from '../a-manifest.ts'

const HOST = { by: 'host' } as const
const tokenCounter = { name: 'letters', count: (text: string) => text.length }
const tool = (name: string) => defineTool({ name, description: `${name}.`, execute: () => name })
const skills = ['a', 'b', 'c'].map((name) =>
  defineSkill({ name, description: name, tools: [tool(`${name}-tool`)] }),
)
const slow = defineSkill({ name: 'slow', description: 'slow', onActivate: () => undefined })
const catalog = await createCatalog({
  skills: [...skills, slow],
  agents: [
    defineAgent({ name: 'clerk', initialSkills: ['a'] }),
    defineAgent({ name: 'hasty', initialSkills: ['slow'] }),
  ],
})

function open(session = 's', log = createMemoryLog()) {
  return new CarnetDriver({ catalog, agent: 'clerk', session, log, tokenCounter })
}

const activate = (skill: string) => ({ type: 'skill.activate', skill }) as const

const register = (name: string) =>
  ({
    type: 'source.register',
    source: 'global',
    owner: 'global',
    tools: [tool(name)],
    onConflict: 'refuse',
    replace: false,
  }) as const

const coded = (code: string, more: object = {}) => expect.objectContaining({ code, ...more })

const active = (workspace: VirtualWorkspace) =>
  workspace.skillManager.getActiveSkills().map(({ name }) => name)

/** Skills that were activated while they were active: decided on a state that was not the last. */
function openedTwice(entries: readonly Entry[]): readonly string[] {
  const open = new Set<string>()
  return entries.flatMap(({ event }) => {
    if (event.type === 'source.closed') open.delete(event.owner)
    if (event.type !== 'source.opened' || event.source !== 'skill') return []
    const twice = open.has(event.owner) ? [event.owner] : []
    open.add(event.owner)
    return twice
  })
}

test('a session is open, with its initial skills, when the call returns', () => {
  const workspace = open()
  expect(workspace.isToolAvailable('a-tool')).toBe(true)
  const outcome = workspace.carryOut(activate('b'), HOST)
  expect(outcome).toMatchObject({ ok: true, difference: { added: ['b-tool'] } })
  expect(workspace.isToolAvailable('b-tool')).toBe(true)
})

test('it leaves the log and the definitions that a workspace leaves which is awaited', async () => {
  const [first, second] = [createMemoryLog(), createMemoryLog()]
  const now = open('s', first)
  now.carryOut(activate('b'), HOST)
  now.carryOut(activate('nothing'), HOST)
  now.carryOut(register('late'), HOST)
  const shared = { catalog, agent: 'clerk', session: 's', tokenCounter, metaTools: [] }
  const later = await VirtualWorkspace.open({ ...shared, log: second })
  await later.activateSkill('b')
  await later.activateSkill('nothing')
  await later.registerTool(tool('late'))
  const facts = ({ immediate }: MemoryLog) => {
    const events = immediate.read('s').map(({ seq, cause, event }) => ({ seq, cause, event }))
    const hashes = JSON.stringify(events).match(/sha256:[0-9a-f]{64}/gu) as ContentHash[]
    return { events, definitions: immediate.definitions.get(hashes) }
  }
  expect(facts(first)).toEqual(facts(second))
  expect(facts(first).definitions.size).toBeGreaterThan(5)
})

test('a refused initial skill is a notice, and an entry', async () => {
  const manifest = aManifest()
  const workspace = new Carnet({
    ...manifest,
    agents: {
      ...manifest.agents,
      writer: { ...manifest.agents['writer'], initialSkills: ['nothing'] } as never,
    },
  }).workspace('writer')
  const entries = await workspace.entries()
  const refused = entries.filter(({ event }) => event.type === 'command.refused')
  expect(workspace.notices.map(({ code }) => code)).toEqual(
    refused.map(({ event }) => 'code' in event && event.code),
  )
})

test('commands that do not wait and commands that do never lose or overwrite an entry', async () => {
  const command = fc.record({
    now: fc.boolean(),
    skill: fc.constantFrom('a', 'b', 'c'),
    on: fc.boolean(),
    /** Turns of the event queue until the next command. */
    pause: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 12 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 20 }), async (commands) => {
      const workspace = open()
      const first = workspace.state.seq + 1
      const reported: number[][] = []
      workspace.subscribe((_, entries) => reported.push(entries.map(({ seq }) => seq)))
      const waiting: Promise<unknown>[] = []
      for (const { now, skill, on, pause } of commands) {
        if (now) workspace.carryOut(activate(skill), HOST)
        else waiting.push(on ? workspace.activateSkill(skill) : workspace.deactivateSkill(skill))
        for (let turn = 0; turn < pause; turn += 1) await Promise.resolve()
      }
      await Promise.all(waiting)
      const entries = await workspace.entries()
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index))
      expect(workspace.state.seq).toBe(entries.length - 1)
      expect(openedTwice(entries)).toEqual([])
      expect(reported.flat().toSorted((a, b) => a - b)).toEqual(
        entries.slice(first).map(({ seq }) => seq),
      )
      expect(reported).toHaveLength(commands.length)
      const replayed = await workspace.look(entries.length - 1)
      expect(replayed.state).toEqual(workspace.state)
    }),
    { numRuns: 400 },
  )
})

test('another workspace on the same session is caught up with', async () => {
  const log = createMemoryLog()
  const first = open('s', log)
  const options = { catalog, agent: 'clerk', session: 's', log, tokenCounter }
  const second = await VirtualWorkspace.open(options)
  await second.activateSkill('b')
  await second.registerTool(tool('theirs'))
  expect(first.carryOut(activate('c'), HOST)).toMatchObject({ ok: true })
  expect(active(first)).toEqual(['a', 'b', 'c'])
  const theirs = first.tools().find(({ name }) => name === 'theirs')
  expect(theirs).toMatchObject({ status: 'unbound', tool: { description: 'theirs.' } })
})

test('a log that says it commits at once, and does not, is refused', async () => {
  const log = createMemoryLog()
  const { immediate } = log
  let waits = false
  const late = {
    ...immediate,
    append: (...given: Parameters<typeof immediate.append>) =>
      waits ? Promise.resolve() : immediate.append(...given),
  }
  const workspace = open('s', { ...log, immediate: late })
  waits = true
  const { seq } = workspace.state
  expect(() => workspace.carryOut(activate('b'), HOST)).toThrow(coded('LOG_NOT_IMMEDIATE'))
  expect(workspace.state.seq).toBe(seq)
})

test('Carnet refuses a log that has to be awaited, by its name', () => {
  const { immediate: _, ...log }: Omit<EventLog, 'immediate'> & { immediate: unknown } =
    createMemoryLog()
  const carnet = new Carnet(aManifest(), { log: log as never })
  expect(() => carnet.getTools('writer')).toThrow(coded('LOG_NOT_IMMEDIATE'))
})

test('hooks are awaited, so a skill that has one is not activated at once', async () => {
  const workspace = open()
  const { seq } = workspace.state
  const facts = { skill: 'slow', hooks: ['slow.onActivate'] }
  expect(() => workspace.carryOut(activate('slow'), HOST)).toThrow(
    coded('HOOKS_TAKE_TIME', { facts }),
  )
  expect(workspace.state.seq).toBe(seq)

  const log = createMemoryLog()
  const options = { catalog, agent: 'hasty', session: 'h', log, tokenCounter }
  expect(() => new CarnetDriver(options)).toThrow(coded('HOOKS_TAKE_TIME', { facts }))
  expect(active(await VirtualWorkspace.open(options))).toEqual(['slow'])
})

test('a hook cannot command its own workspace by a command that does not wait', async () => {
  const told: unknown[] = []
  const owner: { workspace?: CarnetDriver } = {}
  const meddling = defineSkill({
    name: 'meddling',
    description: 'meddling',
    onActivate: () => void told.push(owner.workspace?.carryOut(activate('b'), HOST)),
  })
  owner.workspace = new CarnetDriver({
    catalog: await createCatalog({ skills: [...skills, meddling] }),
    session: 's',
    log: createMemoryLog(),
    tokenCounter,
  })
  expect(await owner.workspace.activateSkill('meddling')).toMatchObject({ ok: true })
  expect(told).toEqual([expect.objectContaining({ ok: false, code: 'inside-hook' })])
  expect(active(owner.workspace)).toEqual(['meddling'])
})

test('a session that the log has is not opened again', () => {
  const log = createMemoryLog()
  open('s', log)
  expect(() => open('s', log)).toThrow(coded('SESSION_KNOWN'))
})

test('a session that was deleted and opened again is not written by the one before', async () => {
  const log = createMemoryLog()
  const before = open('s', log)
  before.carryOut(activate('b'), HOST)
  log.immediate.delete('s')
  const after = open('s', log)
  expect(() => before.carryOut(activate('c'), HOST)).toThrow(coded('SESSION_REPLACED'))
  after.carryOut(activate('c'), HOST)
  after.carryOut(activate('b'), HOST)
  expect(() => before.carryOut(activate('c'), HOST)).toThrow(coded('SESSION_REPLACED'))
})

test('a workspace that is closed takes no command', async () => {
  const workspace = open()
  await workspace.close()
  expect(() => workspace.carryOut(activate('b'), HOST)).toThrow(coded('WORKSPACE_CLOSED'))
})

test('tools that are registered at once can be called', async () => {
  const workspace = open()
  expect(workspace.carryOut(register('late'), HOST)).toMatchObject({ ok: true })
  expect(await workspace.callTool('late', {})).toMatchObject({ ok: true, data: 'late' })
})

test('the state has a command that did not wait, and listeners were notified once', () => {
  const workspace = open()
  const reported: (readonly [seq: number, types: readonly string[]])[] = []
  workspace.subscribe((_, entries) =>
    reported.push([workspace.state.seq, entries.map(({ event }) => event.type)]),
  )
  const { seq } = workspace.state
  workspace.carryOut(activate('c'), HOST)
  workspace.carryOut(activate('c'), HOST)
  workspace.carryOut(register('late'), HOST)
  expect(workspace.state.seq).toBe(seq + 3)
  expect(reported).toEqual([
    [seq + 1, ['source.opened']],
    [seq + 2, ['command.refused']],
    [seq + 3, ['source.opened']],
  ])
})

test('a promise of a token counter is refused by its name', () => {
  const carnet = new Carnet(aManifest(), { tokenCounter: Promise.resolve(tokenCounter) as never })
  expect(() => carnet.workspace('writer')).toThrow(
    coded('OPTIONS_INVALID', { facts: { option: 'tokenCounter' } }),
  )
})
