import { createCatalog, type ExposureName, createMemoryLog, VirtualWorkspace } from 'loadout'
import type { HistoryMessage } from 'loadout/adapter'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../../wires/server/answer.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { aSkill, aTool, aWorkspace } from '../../workspace/a-workspace.ts'
import { WIRE_DRIVERS } from './wire-sessions/wire-drivers.ts'

const MARK = 'Owls sleep by day.'

const owls = aSkill('owls', {
  instructions: `${MARK} `.repeat(60),
  tools: [aTool('owls_look')],
})

const hawks = aSkill('hawks', { instructions: 'Hawks see far.' })

/** A tool whose result has every member of that of \`loadSkill\`. */
const library = aTool('library', {
  execute: () => ({
    skill: 'reading',
    displayName: 'Reading',
    alreadyLoaded: false,
    instructions: 'Foreign words. '.repeat(60),
    tools: [],
    files: [],
  }),
})

const load = [{ name: 'loadSkill', input: { skillName: 'owls' } }]

const unload = [{ name: 'unloadSkill', input: { skillName: 'owls' } }]

/** A session whose host shows its history, and a clock that only the test moves. */
async function sessionOf(
  driver: (typeof WIRE_DRIVERS)[number],
  exposure: ExposureName,
  answers: readonly Answer[],
) {
  const server = await openWireServer({ answers })
  onTestFinished(() => server.close())
  const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => clock.at }
  const log = createMemoryLog()
  const catalog = await createCatalog({ skills: [owls, hawks], tools: [library] })
  const open = async () => {
    const testing = { clock }
    const all = { ...driver.options, catalog, log, session: 's', exposure, testing }
    const workspace = await VirtualWorkspace.open(all)
    onTestFinished(() => workspace.close())
    return workspace
  }
  const workspace = await open()
  let conversation = driver.converse(server.url, {})
  const { signal } = new AbortController()
  const turn = (one = workspace) => conversation.turn(one, 'Go on.', signal)
  /** A process that has nothing but the log, and the messages that the host stored. */
  const openAgain = async () => {
    await workspace.close()
    const stored = structuredClone(conversation.messages)
    conversation = driver.converse(server.url, {})
    conversation.messages.push(...stored)
    return open()
  }
  /** The number of times that the instructions are in each request. */
  const marks = () => server.requests.map(({ body }) => JSON.stringify(body).split(MARK).length - 1)
  return { workspace, server, clock, turn, openAgain, marks }
}

test.each(WIRE_DRIVERS)(
  '$name: the instructions of an unloaded skill leave with its tools, and no request has them again',
  async (driver) => {
    const answers = [load, 'Loaded.', unload, 'Unloaded.', 'Fine.', load, 'Loaded.', 'Fine.']
    const { server, turn, marks } = await sessionOf(driver, 'active', answers)
    for (let left = 5; left > 0; left -= 1) await turn()
    expect(server.violations).toEqual([])
    expect(marks()).toEqual([0, 60, 60, 0, 0, 0, 60, 60])
    const last = JSON.stringify(server.requests[4]?.body)
    expect(last.split('its instructions were withdrawn')).toHaveLength(2)
  },
)

test.each(WIRE_DRIVERS)(
  '$name: where nothing before them changes they stay, priced, until the cache is cold',
  async (driver) => {
    const answers = [load, 'Loaded.', unload, 'Unloaded.', 'Fine.', 'Fine.', 'Fine.']
    const { server, clock, turn, marks, workspace } = await sessionOf(driver, 'bridge', answers)
    for (let left = 3; left > 0; left -= 1) await turn()
    expect(marks().slice(-2)).toEqual([60, 60])
    const [price] = workspace.figures.ledger().withdrawable
    expect(price).toMatchObject({ skill: 'owls', call: expect.any(String) })
    expect(price?.tokens).toBeGreaterThan(200)
    expect(price?.reread).toBeGreaterThan(20)
    clock.at += 3_600_001
    await turn()
    // Of others it is not known how long their caches keep a prefix.
    const forgets = ['anthropic', 'openai'].includes(String(driver.options.provider))
    expect(marks().at(-1)).toBe(forgets ? 0 : 60)
    expect(server.violations).toEqual([])
  },
)

test.each(WIRE_DRIVERS)(
  '$name: another process sends the same bytes without what was withdrawn',
  async (driver) => {
    const answers = [load, 'Loaded.', unload, 'Unloaded.', 'Fine.']
    const { server, turn, openAgain, workspace } = await sessionOf(driver, 'active', answers)
    for (let left = 2; left > 0; left -= 1) await turn()
    const { conversation } = workspace.state
    const other = await openAgain()
    expect(other.state.conversation).toEqual(conversation)
    await turn(other)
    const costs = (await other.entries()).flatMap(({ event }) =>
      event.type === 'step.begun' ? [event.cost?.changed ?? null] : [],
    )
    expect(costs.at(-1)).toBeNull()
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain(MARK)
    expect(server.violations).toEqual([])
  },
)

test.each(['now', 'never'] as const)(
  'a host that withdraws %s decides itself',
  async (withdraw) => {
    const workspace = await aWorkspace(
      { skills: [owls] },
      { provider: 'openai', exposure: 'append' },
    )
    onTestFinished(() => workspace.close())
    const loaded: HistoryMessage = {
      role: 'results',
      content: MARK.repeat(60),
      results: [{ call: 'c1', loads: 'owls' }],
      withdraw: () => ({ role: 'results', content: 'Withdrawn.', results: [{ call: 'c1' }] }),
    }
    const history: readonly HistoryMessage[] = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: 'loadSkill', calls: ['c1'] },
      loaded,
    ]
    await workspace.beginStep({ history, withdraw: 'never' })
    const preview = await workspace.previewStep({ history, withdraw })
    const step = await workspace.beginStep({ history, withdraw })
    const isNow = withdraw === 'now'
    expect(step.messages[2]).toEqual({
      kind: 'history',
      index: 2,
      ...(isNow && { withdrawn: { calls: ['c1'], text: expect.stringContaining('withdrawn') } }),
    })
    expect(step.freed > 0).toBe(isNow)
    expect(preview.freed).toBe(step.freed)
    // What was withdrawn stays so, whatever a later request says.
    const later = await workspace.beginStep({ history, withdraw: 'never' })
    expect(later.messages).toEqual(step.messages)
    expect(later.cost.changed).toBeNull()
  },
)

const OWLS: HistoryMessage = {
  role: 'results',
  content: MARK.repeat(60),
  results: [{ call: 'c1', loads: 'owls' }],
  withdraw: () => ({ role: 'results', content: 'Withdrawn.', results: [{ call: 'c1' }] }),
}

test('a step sends what it says, whatever a preview before it would have withdrawn', async () => {
  const workspace = await aWorkspace({ skills: [owls] }, { provider: 'openai', exposure: 'append' })
  onTestFinished(() => workspace.close())
  const history: readonly HistoryMessage[] = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: 'loadSkill', calls: ['c1'] },
    OWLS,
    { role: 'assistant', content: 'unloadSkill', calls: ['c2'] },
    { role: 'results', content: 'Unloaded.', results: [{ call: 'c2', unloads: 'owls' }] },
  ]
  await workspace.beginStep({ history, withdraw: 'never' })
  await workspace.previewStep({ history, withdraw: 'now' })
  const step = await workspace.beginStep({ history, withdraw: 'never' })
  expect(step.messages[2]).toEqual({ kind: 'history', index: 2 })
  expect(workspace.state.conversation.withdrawn).toBeUndefined()
})

test('a result is withdrawn from its message, also where a host gives the id of a call again', async () => {
  const workspace = await aWorkspace({ skills: [owls] }, { provider: 'openai', exposure: 'append' })
  onTestFinished(() => workspace.close())
  const historyWith = (end: string): readonly HistoryMessage[] => [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: 'loadSkill', calls: ['c1'] },
    { ...OWLS, content: `${OWLS.content}${end}` },
    { role: 'assistant', content: 'unloadSkill', calls: ['c2'] },
    { role: 'results', content: 'Unloaded.', results: [{ call: 'c2', unloads: 'owls' }] },
  ]
  await workspace.beginStep({ history: historyWith('One.'), withdraw: 'now' })
  const history = historyWith('Two.')
  const step = await workspace.beginStep({ history, withdraw: 'now' })
  const later = await workspace.beginStep({ history, withdraw: 'never' })
  expect(later.messages).toEqual(step.messages)
  expect(later.messages[2]).toHaveProperty('withdrawn')
})

test.each(WIRE_DRIVERS)(
  '$name: a skill that is loaded twice has both answers, and its first arguments until it is unloaded',
  async (driver) => {
    const again = [{ name: 'loadSkill', input: { skillName: 'owls' } }]
    const answers = [load, again, 'Loaded.', 'Fine.']
    const { server, turn, marks } = await sessionOf(driver, 'active', answers)
    await turn()
    await turn()
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('were withdrawn')
    expect(marks()).toEqual([0, 60, 120, 120])
    expect(server.violations).toEqual([])
  },
)

test.each(WIRE_DRIVERS)(
  '$name: a skill that the host activated answers the call that loads it',
  async (driver) => {
    const answers = [load, 'Loaded.', 'Fine.']
    const { server, turn, workspace } = await sessionOf(driver, 'active', answers)
    await workspace.activateSkill('owls')
    await turn()
    await turn()
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('were withdrawn')
    expect(workspace.figures.ledger().withdrawable).toEqual([])
  },
)

test.each(WIRE_DRIVERS)(
  '$name: of parallel calls in one answer only the results of the unloaded skill leave',
  async (driver) => {
    const both = [...load, { name: 'loadSkill', input: { skillName: 'hawks' } }]
    const answers = [both, 'Loaded.', unload, 'Unloaded.', 'Fine.', load, 'Loaded.', 'Fine.']
    const { server, turn, marks, workspace } = await sessionOf(driver, 'active', answers)
    for (let left = 5; left > 0; left -= 1) await turn()
    expect(server.violations).toEqual([])
    expect(marks()).toEqual([0, 60, 60, 0, 0, 0, 60, 60])
    const bodies = server.requests.map(
      ({ body }) => JSON.stringify(body).split('Hawks see').length - 1,
    )
    expect(bodies).toEqual([0, 1, 1, 1, 1, 1, 1, 1])
    expect(workspace.state.open.map(({ owner }) => owner)).toEqual(
      expect.arrayContaining(['owls', 'hawks']),
    )
  },
)

test.each(WIRE_DRIVERS)(
  '$name: a result of another tool that looks like a loaded skill stays',
  async (driver) => {
    const answers = [
      [{ name: 'call_tool', input: { name: 'library', arguments: {} } }],
      'Read.',
      'Fine.',
    ]
    const { server, clock, turn } = await sessionOf(driver, 'bridge', answers)
    await turn()
    clock.at += 3_600_001
    await turn()
    const body = JSON.stringify(server.requests.at(-1)?.body)
    expect(body.split('Foreign words.').length).toBe(61)
    expect(body).not.toContain('Deactivated skills')
    expect(server.violations).toEqual([])
  },
)

test.each(WIRE_DRIVERS)(
  '$name: after each of random loads and unloads the model has the instructions of an active skill, and replay the same state',
  async (driver) => {
    const both = [...load, ...unload]
    const acts = fc.array(fc.constantFrom<Answer>(load, unload, both, 'Fine.'), {
      minLength: 3,
      maxLength: 8,
    })
    const run = fc.asyncProperty(
      acts,
      fc.constantFrom<ExposureName>('active', 'bridge'),
      async (script, exposure) => {
        const answers = script.flatMap((one) => (one === 'Fine.' ? [one] : [one, 'Done.']))
        const { server, turn, openAgain, marks, workspace } = await sessionOf(
          driver,
          exposure,
          answers,
        )
        for (const _ of script) {
          await turn()
          const isActive = workspace.state.open.some(({ owner }) => owner === 'owls')
          if (isActive) expect(marks().at(-1)).toBeGreaterThanOrEqual(60)
          else if (exposure === 'active') expect(marks().at(-1)).toBe(0)
        }
        expect(server.violations).toEqual([])
        const { state } = workspace
        const other = await openAgain()
        expect(other.state.conversation).toEqual(state.conversation)
      },
    )
    await fc.assert(run, { numRuns: 8, seed: 5 })
  },
)
