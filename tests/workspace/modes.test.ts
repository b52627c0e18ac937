import {
  type Agent,
  createMemoryLog,
  defineAgent,
  MODES,
  type ModeTable,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { latencyTarget } from '../../src/engine/decide/decide-call.ts'
import { OPEN_POLICY } from '../../src/engine/model/policy.ts'
import { aSkill, aTool, available, aWorkspace } from './a-workspace.ts'

const tools = [
  aTool('find', { category: 'retrieval' }),
  aTool('save', { category: 'action' }),
  aTool('sum', { category: 'utility' }),
]
type Options = Omit<WorkspaceOptions, 'catalog'>
const skills = [aSkill('extra')]
const open = (options: Options = {}) => aWorkspace({ tools, skills }, options)

function anAgent(mode?: string): Agent {
  return defineAgent({ name: 'clerk', ...(mode !== undefined && { mode }) })
}

/** Counts the calls of a tool that one turn allows, of eight. */
async function callsOf(workspace: Awaited<ReturnType<typeof open>>, tool: string): Promise<number> {
  let ran = 0
  for (let call = 0; call < 8; call += 1) {
    if ((await workspace.callTool(tool, {})).ok) ran += 1
  }
  return ran
}

test.each<{ title: string; options: Options; find: number; save: number }>([
  { title: 'no mode was chosen', options: {}, find: 8, save: 8 },
  { title: 'text', options: { policy: { mode: 'text' } }, find: 5, save: 8 },
  { title: 'the text of an agent', options: { agent: anAgent('text') }, find: 5, save: 8 },
  { title: 'an agent without a mode', options: { agent: anAgent() }, find: 8, save: 8 },
  {
    title: 'text as the host defines it',
    options: { policy: { modes: { text: { callsPerTurn: { retrieval: 3 } } } } },
    find: 3,
    save: 8,
  },
  { title: 'voice', options: { policy: { mode: 'voice' } }, find: 2, save: 8 },
  {
    title: 'limits of the host',
    options: { policy: { callsPerTurn: { action: 3 } } },
    find: 8,
    save: 3,
  },
  {
    title: 'none in text, when the host says so',
    options: { policy: { mode: 'text', callsPerTurn: {} } },
    find: 8,
    save: 8,
  },
  {
    title: 'a mode of its own is open but for what it gives',
    options: { policy: { mode: 'kiosk', modes: { kiosk: { callsPerTurn: { action: 1 } } } } },
    find: 8,
    save: 1,
  },
  {
    title: 'a known mode changed is the same but for what is given',
    options: { policy: { mode: 'voice', modes: { voice: { promptTier: 'full' } } } },
    find: 2,
    save: 8,
  },
  {
    title: 'calls of all categories together',
    options: { policy: { mode: 'kiosk', modes: { kiosk: { calls: 4 } } } },
    find: 4,
    save: 0,
  },
])('$title: $find retrieval calls a turn, then $save actions', async ({ options, find, save }) => {
  const workspace = await open(options)
  for (const turn of [1, 2]) {
    await workspace.beginTurn()
    expect([turn, await callsOf(workspace, 'find'), await callsOf(workspace, 'save')]).toEqual([
      turn,
      find,
      save,
    ])
  }
})

test.each<{ title: string; modes: ModeTable; text: string; fix: string }>([
  {
    title: 'a category',
    modes: { m: { callsPerTurn: { retrieval: 1 } } },
    text: 'The retrieval calls of this turn are spent (1).',
    fix: 'Continue without it until the next turn. The host sets this limit: callsPerTurn of the policy, or of the mode "m".',
  },
  {
    title: 'a turn',
    modes: { m: { calls: 1, callsPerTurn: { retrieval: 1 } } },
    text: 'The calls of this turn are spent (1).',
    fix: 'Continue without it until the next turn. The host sets this limit: calls of the mode "m".',
  },
  {
    title: 'a session',
    modes: { m: { callsInSession: 1, calls: 1 } },
    text: 'The calls of this session are spent (1).',
    fix: 'Start another session, or ask the host to raise its limit.',
  },
])('explain and the refusal name the spent budget of $title', async ({ modes, text, fix }) => {
  const workspace = await open({ policy: { mode: 'm', modes } })
  await workspace.callTool('find', {})
  const { seq } = workspace.state
  expect(workspace.explain('find')).toMatchObject({ status: 'budget-spent', fix })
  expect(workspace.explain('find').because.at(-1)).toEqual({ seq: seq - 1, text })
  expect(await workspace.callTool('find', {})).toMatchObject({
    error: {
      type: 'BUDGET_EXCEEDED',
      message: expect.stringContaining(text),
      retryable: false,
      partialSideEffects: false,
    },
  })
})

test('budgets of turn and session hold when the session is resumed, and in every process', async () => {
  const log = createMemoryLog()
  const modes = { kiosk: { callsPerTurn: { retrieval: 3 }, callsInSession: 5 } }
  const options = { log, session: 's', policy: { mode: 'kiosk', modes } }
  const first = await open(options)
  await first.callTool('find', {})
  await first.callTool('find', {})
  const again = await open({ log, session: 's' })
  expect(await callsOf(again, 'find')).toBe(1)
  await again.beginTurn()
  const third = await open(options)
  expect(await callsOf(third, 'find')).toBe(2)
  expect(await first.callTool('save', {})).toMatchObject({ error: { type: 'BUDGET_EXCEEDED' } })
  expect(third.state.callsInSession).toBe(5)
})

test('a session keeps the mode it was opened in, and one without a mode gets none', async () => {
  const log = createMemoryLog()
  await open({ log, session: 'chosen', policy: { mode: 'text' } })
  await open({ log, session: 'free' })
  const chosen = await open({ log, session: 'chosen' })
  const free = await open({ log, session: 'free' })
  expect([await callsOf(chosen, 'find'), await callsOf(free, 'find')]).toEqual([5, 8])
  expect(chosen.state.policy.limits).toEqual(MODES.text)
  expect(free.state.policy).toEqual(OPEN_POLICY)
  await free.beginTurn()
  await free.setMode('text')
  expect(await callsOf(free, 'find')).toBe(5)
})

test('a mode lets only its tools be called, and says so', async () => {
  const modes = { kiosk: { tools: ['f*', 'sum'] } }
  const workspace = await open({ policy: { mode: 'kiosk', modes }, metaTools: ['loadSkill'] })
  expect(available(workspace)).toEqual(['loadSkill', 'find', 'sum'])
  expect(workspace.explain('save')).toMatchObject({
    status: 'blocked-by-mode',
    because: [{}, { seq: 0, text: 'The mode "kiosk" allows only f*, sum.' }],
    fix: 'Switch to a mode that allows it.',
  })
  expect(await workspace.callTool('save', {})).toMatchObject({ error: { type: 'MODE_RESTRICTED' } })
  await workspace.setMode('text')
  expect(available(workspace)).toEqual(['loadSkill', 'find', 'save', 'sum'])
})

test('calls made in one mode count in the next', async () => {
  const workspace = await open()
  await workspace.callTool('find', {})
  await workspace.callTool('find', {})
  expect(await workspace.setMode('voice', { by: 'user' })).toMatchObject({
    ok: true,
    difference: { removed: ['find'] },
  })
  expect(workspace.isToolAvailable('find')).toBe(false)
  expect(workspace.state.policy.limits).toEqual(MODES.voice)
  const { seq } = workspace.state
  expect(await workspace.setMode('voice')).toMatchObject({ ok: true, seq })
})

test('a mode that nobody defined is refused, with the nearest one', async () => {
  await expect(open({ policy: { mode: 'vioce' } })).rejects.toMatchObject({
    code: 'MODE_UNKNOWN',
    message: 'The mode "vioce" is not defined.',
    hint: 'Did you mean "voice"?',
  })
  const workspace = await open({ policy: { mode: 'kiosk', modes: { kiosk: { calls: 1 } } } })
  const { seq } = workspace.state
  await expect(workspace.setMode('shop')).rejects.toMatchObject({
    code: 'MODE_UNKNOWN',
    hint: 'Define it in the option "policy.modes" of the workspace. Known modes: voice, text, kiosk.',
  })
  expect(workspace.state).toMatchObject({ seq, policy: { mode: 'kiosk' } })
})

test('names that every object has are modes like any other', async () => {
  const modes = JSON.parse('{"__proto__": {"calls": 1}}') as NonNullable<
    NonNullable<Options['policy']>['modes']
  >
  const own = await open({ policy: { mode: '__proto__', modes } })
  expect(own.notices).toEqual([])
  expect(await callsOf(own, 'save')).toBe(1)
  await expect(open({ policy: { mode: 'constructor' } })).rejects.toMatchObject({
    code: 'MODE_UNKNOWN',
  })
})

test('an agent has its mode, which the host may change', async () => {
  const agent = defineAgent({ name: 'phone', mode: 'voice' })
  expect((await open({ agent })).state.policy.limits).toEqual(MODES.voice)
  expect((await open({ agent, policy: { mode: 'text' } })).state.policy.limits).toEqual(MODES.text)
})

test('the tier of the mode decides how a tool outside the request is described', async () => {
  const about = { summary: 'Finds.', description: 'Finds pages. Takes a while for large sites.' }
  const told = async (mode: string, schemasInRequest: boolean) => {
    const workspace = await aWorkspace({ tools: [aTool('find', about)] }, { policy: { mode } })
    const text = workspace.prompt({ schemasInRequest }).text
    return text.split('\n').find((line) => line.includes('`find`'))
  }
  expect(await told('voice', false)).toBe('- `find`: Finds.')
  expect(await told('text', false)).toBe('- `find`: Finds pages. Takes a while for large sites.')
  expect(await told('voice', true)).toBe('- `find`: Finds.')
  expect(await told('text', true)).toBe('- `find`: Finds.')
})

test.each([
  { mode: 'voice', category: 'retrieval', latencyMs: undefined, target: 800 },
  { mode: 'text', category: 'retrieval', latencyMs: undefined, target: 2000 },
  { mode: 'voice', category: 'action', latencyMs: undefined, target: 1000 },
  { mode: 'text', category: 'utility', latencyMs: undefined, target: 1000 },
  { mode: 'voice', category: 'retrieval', latencyMs: 50, target: 50 },
] as const)(
  'in $mode, $category of $latencyMs ms should take $target ms',
  ({ mode, target, ...tool }) => {
    const { latencyMs, category } = tool
    const judged = { category, ...(latencyMs !== undefined && { latencyMs }) }
    expect(latencyTarget({ limits: MODES[mode] }, judged)).toBe(target)
    expect(latencyTarget(OPEN_POLICY, { category })).toBe(null)
  },
)

test.each([
  { mode: 'voice', took: 801, warned: true },
  { mode: 'voice', took: 800, warned: false },
  { mode: undefined, took: 9_000, warned: false },
])('a call of $took ms in the mode $mode is a warning: $warned', async ({ mode, took, warned }) => {
  let now = 0
  const find = aTool('find', { category: 'retrieval', execute: () => (now += took) })
  const clock = { now: () => now, monotonic: () => now }
  const policy = mode === undefined ? {} : { mode }
  const workspace = await aWorkspace({ tools: [find] }, { policy, testing: { clock } })
  expect(await workspace.callTool('find', {})).toMatchObject({ ok: true })
  const { event } = (await workspace.entries()).at(-1) ?? {}
  expect(event).toMatchObject(
    warned
      ? {
          type: 'warning.given',
          code: 'call-slow',
          subject: 'find',
          message: 'The call of "find" took 801 ms, and its target is 800 ms.',
        }
      : { type: 'call.ended' },
  )
})
