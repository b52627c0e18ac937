import { createCatalog, createMemoryLog, defineAgent, defineSkill, defineTool } from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ImmediateWorkspace } from '../../src/workspace/immediate-workspace.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'
import type { Cause } from '../../src/engine/model/cause.ts'
import type { Entry } from '../../src/engine/model/workspace-event.ts'

const HOST: Cause = { by: 'host' }
const tokenCounter = { name: 'letters', count: (text: string) => text.length }
const tool = (name: string) => defineTool({ name, description: `${name}.`, execute: () => name })
const skills = ['a', 'b', 'c'].map((name) =>
  defineSkill({ name, description: name, tools: [tool(`${name}-tool`)] }),
)
const slow = defineSkill({ name: 'slow', description: 'slow', onActivate: () => undefined })
const leaving = defineSkill({
  name: 'leaving',
  description: 'leaving',
  onDeactivate: () => undefined,
})
const catalog = await createCatalog({
  skills: [...skills, slow, leaving],
  agents: [defineAgent({ name: 'clerk', initialSkills: ['a'] })],
})

function open(session = 's', log = createMemoryLog()) {
  return ImmediateWorkspace.openNow({ catalog, agent: 'clerk', session, log, tokenCounter })
}

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
  const outcome = workspace.dispatchNow({ type: 'skill.activate', skill: 'b' }, HOST)
  expect(outcome).toMatchObject({ ok: true, difference: { added: ['b-tool'] } })
  expect(workspace.isToolAvailable('b-tool')).toBe(true)
})

test('it leaves the log that a workspace leaves which is awaited', async () => {
  const steps = [
    { type: 'skill.activate', skill: 'b' },
    { type: 'skill.activate', skill: 'nothing' },
    { type: 'skill.deactivate', skill: 'a' },
  ] as const
  const now = open()
  for (const command of steps) now.dispatchNow(command, HOST)
  const shared = { catalog, agent: 'clerk', session: 's', tokenCounter }
  const later = await VirtualWorkspace.open({ ...shared, log: createMemoryLog() })
  await later.activateSkill('b')
  await later.activateSkill('nothing')
  await later.deactivateSkill('a')
  const facts = async (workspace: VirtualWorkspace) =>
    (await workspace.entries()).map(({ seq, cause, event }) => ({ seq, cause, event }))
  expect(await facts(now)).toEqual(await facts(later))
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
      const waiting: Promise<unknown>[] = []
      for (const { now, skill, on, pause } of commands) {
        const type = on ? ('skill.activate' as const) : ('skill.deactivate' as const)
        if (now) workspace.dispatchNow({ type, skill }, HOST)
        else waiting.push(on ? workspace.activateSkill(skill) : workspace.deactivateSkill(skill))
        for (let turn = 0; turn < pause; turn += 1) await Promise.resolve()
      }
      await Promise.all(waiting)
      const entries = await workspace.entries()
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index))
      expect(workspace.state.seq).toBe(entries.length - 1)
      expect(openedTwice(entries)).toEqual([])
      const replayed = await workspace.sessions.look(entries.length - 1)
      expect(replayed.state).toEqual(workspace.state)
    }),
    { numRuns: 400 },
  )
})

test('another workspace on the same session is caught up with', async () => {
  const log = createMemoryLog()
  const first = open('s', log)
  const second = await VirtualWorkspace.open({
    catalog,
    agent: 'clerk',
    session: 's',
    log,
    tokenCounter,
  })
  await second.activateSkill('b')
  expect(first.dispatchNow({ type: 'skill.activate', skill: 'c' }, HOST)).toMatchObject({
    ok: true,
  })
  expect(first.skillManager.getActiveSkills().map(({ name }) => name)).toEqual(['a', 'b', 'c'])
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
  expect(() => workspace.dispatchNow({ type: 'turn.begin' }, HOST)).toThrow(
    expect.objectContaining({ code: 'LOG_NOT_IMMEDIATE' }),
  )
  expect(workspace.state.seq).toBe(seq)
})

test('hooks are awaited, so a skill that has one is not activated at once', () => {
  const workspace = open()
  const { seq } = workspace.state
  expect(() => workspace.dispatchNow({ type: 'skill.activate', skill: 'slow' }, HOST)).toThrow(
    expect.objectContaining({
      code: 'HOOKS_TAKE_TIME',
      facts: { skill: 'slow', hooks: ['slow.onActivate'] },
    }),
  )
  expect(workspace.state.seq).toBe(seq)
})

test('a session that the log has is not opened again', () => {
  const log = createMemoryLog()
  open('s', log)
  expect(() => open('s', log)).toThrow(expect.objectContaining({ code: 'SESSION_KNOWN' }))
})

test('a workspace that is closed takes no command', async () => {
  const workspace = open()
  await workspace.close()
  expect(() => workspace.dispatchNow({ type: 'turn.begin' }, HOST)).toThrow(
    expect.objectContaining({ code: 'WORKSPACE_CLOSED' }),
  )
})

test('tools that are registered at once can be called', async () => {
  const workspace = open()
  const tools = [tool('late')]
  const command = { type: 'source.register', source: 'global', owner: 'host', tools } as const
  expect(workspace.dispatchNow({ ...command, onConflict: 'refuse' }, HOST)).toMatchObject({
    ok: true,
  })
  expect(await workspace.callTool('late', {})).toMatchObject({ ok: true, data: 'late' })
})

test('listeners are notified of a command that did not wait', () => {
  const workspace = open()
  const reported: string[] = []
  workspace.subscribe((_, entries) => reported.push(...entries.map(({ event }) => event.type)))
  workspace.dispatchNow({ type: 'skill.activate', skill: 'c' }, HOST)
  expect(reported).toEqual(['source.opened'])
})

test('a turn that begins without waiting ends lifetimes; a skill with hooks goes when it is awaited', async () => {
  const workspace = open()
  const lifetime = { turns: 1 } as const
  workspace.dispatchNow({ type: 'turn.begin' }, HOST)
  workspace.dispatchNow({ type: 'skill.activate', skill: 'b', lifetime }, HOST)
  await workspace.activateSkill('leaving', { lifetime })
  workspace.dispatchNow({ type: 'turn.begin' }, HOST)
  const active = () => workspace.skillManager.getActiveSkills().map(({ name }) => name)
  expect(active()).toEqual(['a', 'leaving'])
  const [closed] = (await workspace.entries()).slice(-1)
  expect(closed).toMatchObject({
    cause: { by: 'lifetime', of: 'b' },
    event: { type: 'source.closed', owner: 'b' },
  })
  await workspace.beginTurn()
  expect(active()).toEqual(['a'])
})

test('a promise of a token counter is refused by its name', () => {
  const options = { catalog, session: 'promised', log: createMemoryLog() }
  const counter = Promise.resolve(tokenCounter) as never
  expect(() => ImmediateWorkspace.openNow({ ...options, tokenCounter: counter })).toThrow(
    expect.objectContaining({ code: 'OPTIONS_INVALID', facts: { option: 'tokenCounter' } }),
  )
})
