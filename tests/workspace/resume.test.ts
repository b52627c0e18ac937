import {
  createMemoryLog,
  defineAgent,
  defineComponent,
  type EventLog,
  type VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, available, history } from './a-workspace.ts'

type Definitions = Parameters<typeof aWorkspace>[0]
type Options = Parameters<typeof aWorkspace>[1]

const board = defineComponent({
  key: 'board',
  initialState: [] as readonly string[],
  tools: (define) => [
    define({
      name: 'pin',
      description: 'Pin a note.',
      execute: (_, { update }) => update((notes) => [...notes, 'note']),
    }),
  ],
  panel: (notes) => ({ title: 'Board', lines: notes }),
})
const sign = defineComponent({
  key: 'sign',
  initialState: null,
  tools: [],
  panel: () => ({ title: 'Sign', lines: ['Open'] }),
})

const agent = defineAgent({ name: 'clerk', initialSkills: ['owls'] })
const definitions: Definitions = {
  skills: [aSkill('owls'), aSkill('mice', { lifetime: { uses: 3 } })],
  components: [board, sign],
  tools: [aTool('clock')],
  agents: [agent],
}

async function lived(log: EventLog, options: Options = {}) {
  const workspace = await aWorkspace(definitions, {
    log,
    session: 's',
    agent: 'clerk',
    metaTools: ['loadSkill', 'unloadSkill'],
    ...options,
  })
  await workspace.activateSkill('mice')
  await workspace.callTool('pin', {})
  await workspace.callTool('mice_tool', {})
  await workspace.beginTurn()
  await workspace.beginStep()
  await workspace.setToolEnabled('clock', false)
  return workspace
}

test('opening again appends nothing when nothing changed, and has the same state', async () => {
  const log = createMemoryLog()
  const before = await lived(log)
  const entries = await log.read('s')
  const after = await aWorkspace(definitions, {
    log,
    session: 's',
    agent: 'clerk',
    metaTools: ['loadSkill', 'unloadSkill'],
  })
  expect(await log.read('s')).toEqual(entries)
  expect(after.state).toEqual(before.state)
  expect(after.prompt().text).toBe(before.prompt().text)
  const standings = (one: VirtualWorkspace) =>
    one.tools().map(({ name, owner, status, asks }) => ({ name, owner, status, asks }))
  expect(standings(after)).toEqual(standings(before))
  expect(after.notices).toEqual([])
})

test.each<{ key: string; options: Options }>([
  { key: 'agent', options: { agent: defineAgent({ name: 'other' }) } },
  { key: 'principal', options: { principal: { id: 'bob' } } },
  {
    key: 'tokenizer',
    options: { tokenCounter: { name: 'letters', count: (text) => text.length } },
  },
])('a session goes on only with its own $key', async ({ key, options }) => {
  const log = createMemoryLog()
  await lived(log)
  const given = { log, session: 's', agent: 'clerk', ...options }
  await expect(aWorkspace(definitions, given)).rejects.toMatchObject({
    code: 'SESSION_MISMATCH',
    facts: { session: 's', key },
  })
  expect(await aWorkspace(definitions, { ...given, readOnly: true })).toBeDefined()
})

test('a skill whose definition changed is off, shown as changed, until it is accepted', async () => {
  const log = createMemoryLog()
  await lived(log)
  const changed = {
    ...definitions,
    skills: [
      aSkill('owls', {
        instructions: 'Hoot.',
        tools: [aTool('owls_tool', { description: 'Anew.' }), aTool('second')],
      }),
      aSkill('mice', { lifetime: { uses: 3 } }),
    ],
  }
  const workspace = await aWorkspace(changed, { log, session: 's', agent: 'clerk' })
  expect(workspace.notices).toMatchObject([
    {
      code: 'skill-changed',
      hint: 'Accept the new definition: acceptSkill("owls") (with the command: loadout accept owls).',
    },
  ])
  expect(available(workspace)).not.toContain('owls_tool')
  expect(workspace.explain('owls_tool').status).toBe('changed')
  expect(workspace.tools().map(({ name, status }) => [name, status])).toContainEqual([
    'second',
    'skill-inactive',
  ])
  expect(await workspace.acceptSkill('owls')).toMatchObject({
    difference: { added: ['owls_tool', 'second'] },
  })
  expect(await workspace.acceptSkill('owls')).toMatchObject({ code: 'skill-unchanged' })
  expect(await workspace.callTool('owls_tool', {})).toMatchObject({ ok: true })
})

test('a skill is changed, too, when a shared tool it names did', async () => {
  const log = createMemoryLog()
  const shared = (description: string) => ({
    skills: [aSkill('owls', { tools: ['look'] })],
    tools: [aTool('look', { description })],
  })
  const before = await aWorkspace(shared('Look around.'), { log, session: 's' })
  await before.activateSkill('owls')
  const after = await aWorkspace(shared('Look around and tell everyone.'), { log, session: 's' })
  expect(after.notices).toMatchObject([{ code: 'skill-changed' }])
  expect(after.explain('look')).toMatchObject({
    status: 'changed',
    because: [{}, { text: 'Its tools are not those the session activated.' }],
    fix: 'Accept the new definition: acceptSkill("owls") (with the command: loadout accept owls). Or deactivate the skill.',
  })
  expect(await after.acceptSkill('owls')).toMatchObject({ difference: { added: ['look'] } })
})

test('a skill that was removed stays off, is reported, and can be deactivated', async () => {
  const log = createMemoryLog()
  await lived(log)
  const workspace = await aWorkspace(
    { ...definitions, skills: [aSkill('mice', { lifetime: { uses: 3 } })] },
    { log, session: 's', agent: 'clerk', metaTools: ['unloadSkill'] },
  )
  expect(workspace.notices).toMatchObject([{ code: 'skill-gone' }])
  expect(workspace.skills().at(-1)).toMatchObject({ name: 'owls', status: 'changed' })
  expect(workspace.explain('owls_tool')).toMatchObject({ status: 'changed' })
  expect(await workspace.acceptSkill('owls')).toMatchObject({ code: 'skill-unknown' })
  expect(await workspace.callTool('unloadSkill', { skillName: 'owls' })).toMatchObject({ ok: true })
  expect(workspace.explainSkill('owls').status).toBe('unknown')
})

test('a component of a new build replaces its tools and keeps its state', async () => {
  const log = createMemoryLog()
  await lived(log)
  const next = defineComponent({
    key: 'board',
    initialState: [] as readonly string[],
    tools: [aTool('pin', { description: 'Pin, but better.' })],
    panel: (notes) => ({ title: 'New board', lines: notes }),
  })
  const workspace = await aWorkspace(
    { ...definitions, components: [next, sign] },
    { log, session: 's', agent: 'clerk', metaTools: ['loadSkill', 'unloadSkill'] },
  )
  expect(await history(workspace, 17)).toEqual(['catalog.taken', 'source.synced board'])
  expect(workspace.exportComponent('board')).toEqual(['note'])
  const pins = workspace.tools().filter(({ name }) => name.includes('pin'))
  expect(pins).toMatchObject([{ name: 'pin', tool: { description: 'Pin, but better.' } }])
})

const looks: Record<string, (workspace: VirtualWorkspace) => unknown> = {
  tools: (one) => one.tools(),
  skills: (one) => one.skills(),
  prompt: (one) => one.prompt().ledger,
  render: (one) => one.render(),
  sections: (one) => [
    one.renderSkillsSection(),
    one.renderToolSection(),
    one.renderSkillToolsSection(),
  ],
  explain: (one) => ['clock', 'owls_tool', 'nobody'].map((name) => one.explain(name)),
  explainSkill: (one) => ['owls', 'mice', 'nobody'].map((name) => one.explainSkill(name)),
  sources: (one) => [one.getToolSource('pin'), one.isToolAvailable('pin')],
  manager: (one) => one.skillManager.getAllSkillToolStates(),
  export: (one) => one.exportComponent('board'),
  entries: (one) => one.entries(),
}

test('looking never writes, in any order, and answers the same', async () => {
  const log = createMemoryLog()
  const workspace = await lived(log)
  const { state } = workspace
  const entries = await log.read('s')
  const names = Object.keys(looks)
  const answers = new Map<string, unknown>()
  for (const order of [names, names.toReversed(), [...names.slice(5), ...names.slice(0, 5)]]) {
    for (const name of order) {
      const answer = await looks[name]?.(workspace)
      expect(answer).toEqual(answers.get(name) ?? answer)
      answers.set(name, answer)
    }
  }
  expect(await log.read('s')).toEqual(entries)
  expect(workspace.state).toBe(state)
})

test.each<{ what: string; options: Options }>([
  { what: 'readOnly', options: { readOnly: true } },
  { what: 'at', options: { at: 9 } },
])('with $what nothing is written and no hook runs', async ({ options }) => {
  const log = createMemoryLog()
  let ran = 0
  const hooked = {
    ...definitions,
    skills: [aSkill('owls', { onActivate: () => void (ran += 1) }), aSkill('mice')],
  }
  const live = await aWorkspace(hooked, { log, session: 's', agent: 'clerk' })
  for (let turn = 0; turn < 6; turn += 1) await live.beginTurn()
  const entries = await log.read('s')
  const looking = await aWorkspace(hooked, { log, session: 's', ...options })
  for (const command of [
    () => looking.activateSkill('mice'),
    () => looking.deactivateSkill(),
    () => looking.beginTurn(),
    () => looking.beginStep(),
    () => looking.registerTool(aTool('extra')),
    () => looking.approve('x'),
  ]) {
    await expect(command()).rejects.toMatchObject({ code: 'READ_ONLY' })
  }
  expect(await looking.callTool('owls_tool', {})).toMatchObject({
    error: { type: 'SESSION_INACTIVE', details: { code: 'READ_ONLY' } },
  })
  expect(await log.read('s')).toEqual(entries)
  expect(ran).toBe(1)
})

test('an earlier moment is shown unchanged', async () => {
  const log = createMemoryLog()
  const states: unknown[] = []
  const live = await lived(log)
  const { seq } = live.state
  for (let at = 0; at <= seq; at += 1) {
    const then = await aWorkspace(definitions, { log, session: 's', at })
    expect(then.state.seq).toBe(at)
    states.push(then.state)
  }
  expect(states.at(-1)).toEqual(live.state)
})

test('a session the log does not have cannot be looked at', async () => {
  const log = createMemoryLog()
  await expect(aWorkspace({}, { log, session: 'none', readOnly: true })).rejects.toMatchObject({
    code: 'SESSION_UNKNOWN',
  })
  expect(await log.list()).toEqual([])
  await expect(aWorkspace(definitions, { agent: 'clark' })).rejects.toMatchObject({
    code: 'AGENT_UNKNOWN',
    facts: { nearest: ['clerk'] },
  })
})

test('two sessions of one agent share nothing', async () => {
  const log = createMemoryLog()
  const one = await lived(log)
  const untouched = await aWorkspace(definitions, { log, session: 'two', agent: 'clerk' })
  const { state } = untouched
  await one.deactivateSkill('owls')
  await one.callTool('pin', {})
  await one.registerTool(aTool('extra'))
  expect(untouched.state).toBe(state)
  expect(available(untouched)).toEqual(['pin', 'clock', 'owls_tool'])
  expect(untouched.exportComponent('board')).toEqual([])
  expect(one.exportComponent('board')).toEqual(['note', 'note'])
  expect(await history(untouched)).toHaveLength(7)
})
