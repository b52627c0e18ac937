import { defineAgent, defineComponent } from 'loadout'
import type { OnConflict } from '../../src/skills/definition/skill.ts'
import { expect, test } from 'vitest'
import { aSkill, aTool, available, aWorkspace } from './a-workspace.ts'

const note = (owner: string) =>
  aTool('note', { description: `Note by ${owner}.`, execute: () => owner })

const notes = defineComponent({
  key: 'notes',
  initialState: null,
  tools: [note('component')],
  panel: () => ({ title: 'Notes', lines: [] }),
})

const diary = (onConflict: OnConflict) => aSkill('diary', { tools: [note('skill')], onConflict })

test("a component's tool is back when the skill that shadowed it has left", async () => {
  const workspace = await aWorkspace({ skills: [diary('shadow')], components: [notes] })
  await workspace.activateSkill('diary')
  expect(workspace.getToolSource('note')).toEqual({ source: 'skill', owner: 'diary' })
  expect(await workspace.callTool('note', {})).toMatchObject({ data: 'skill' })
  expect(workspace.explain('notes/note')).toMatchObject({
    status: 'shadowed',
    owner: 'notes',
    because: [
      {
        seq: 1,
        text: 'It was registered as a tool of the component "notes" when the session opened.',
      },
      { seq: 3, text: 'The name belongs to the tool of "diary" (skill).' },
    ],
  })
  expect(await workspace.callTool('notes/note', {})).toMatchObject({
    error: { type: 'UNAVAILABLE', details: { code: 'shadowed', owner: 'notes' } },
  })
  expect(await workspace.deactivateSkill()).toMatchObject({ difference: { changed: ['note'] } })
  expect(await workspace.callTool('note', {})).toMatchObject({ data: 'component' })
})

test('without a word on conflicts the clash is refused, and both owners are named', async () => {
  const workspace = await aWorkspace({ skills: [diary('refuse')], components: [notes] })
  expect(await workspace.activateSkill('diary')).toMatchObject({
    ok: false,
    code: 'tool-name-taken',
    message: expect.stringMatching(/"diary".*"note".*"notes" \(component\)/u),
    facts: { tool: 'note', owner: 'diary', holder: 'notes', holderSource: 'component' },
  })
  expect(workspace.skillManager.getActiveSkill()).toBeNull()
  expect(await workspace.callTool('note', {})).toMatchObject({ data: 'component' })
})

test('a namespaced tool goes by its long name, and every way to say it agrees', async () => {
  const workspace = await aWorkspace({ skills: [diary('namespace')], components: [notes] })
  await workspace.activateSkill('diary')
  expect(available(workspace)).toEqual(['note', 'diary__note'])
  expect(await workspace.callTool('diary__note', {})).toMatchObject({ data: 'skill' })
  expect(await workspace.callTool('diary/note', {})).toMatchObject({ data: 'skill' })
  expect(workspace.explain('diary/note').status).toBe('available')
  expect(workspace.tools().map(({ name, status }) => [name, status])).toEqual([
    ['note', 'available'],
    ['diary__note', 'available'],
  ])
  await workspace.unregisterComponent('notes')
  expect(workspace.explain('note')).toMatchObject({
    status: 'skill-inactive',
    fix: 'It is registered as "diary__note".',
  })
})

test.each<{ first: string; second: string }>([
  { first: 'one', second: 'two' },
  { first: 'two', second: 'one' },
])('a tool of two skills stays when $first leaves, until $second does', async (order) => {
  const shared = aTool('shared')
  const workspace = await aWorkspace({
    skills: [aSkill('one', { tools: [shared] }), aSkill('two', { tools: [shared] })],
  })
  await workspace.activateSkill('one')
  expect(await workspace.activateSkill('two')).toMatchObject({ difference: { added: [] } })
  expect(await workspace.deactivateSkill(order.first)).toMatchObject({
    difference: { removed: [] },
  })
  expect(workspace.getToolSource('shared')).toEqual({ source: 'skill', owner: order.second })
  expect(await workspace.deactivateSkill(order.second)).toMatchObject({
    difference: { removed: ['shared'] },
  })
})

test('a tool that shadows stays for the skill that joined it, also when the first leaves', async () => {
  const better = note('better')
  const workspace = await aWorkspace({
    skills: [
      aSkill('one', { tools: [better], onConflict: 'shadow' }),
      aSkill('two', { tools: [better] }),
    ],
    components: [notes],
  })
  await workspace.activateSkill('one')
  await workspace.activateSkill('two')
  await workspace.deactivateSkill('one')
  expect(workspace.getToolSource('note')).toEqual({ source: 'skill', owner: 'two' })
  await workspace.deactivateSkill('two')
  expect(workspace.getToolSource('note')).toEqual({ source: 'component', owner: 'notes' })
})

test('component and global tools never go with a skill of theirs', async () => {
  const clock = aTool('clock')
  const workspace = await aWorkspace(
    { skills: [aSkill('notes', { tools: [clock, note('component')] })], components: [notes] },
    { tools: [clock] },
  )
  const before = available(workspace)
  expect(before).toEqual(['note', 'clock'])
  await workspace.activateSkill('notes')
  await workspace.deactivateSkill('notes')
  expect(available(workspace)).toEqual(before)
})

test.each<OnConflict>(['refuse', 'shadow'])(
  'a meta-tool cannot be replaced with onConflict "%s"',
  async (onConflict) => {
    const thief = aSkill('thief', { tools: [aTool('loadSkill')], onConflict })
    const workspace = await aWorkspace({ skills: [thief] }, { metaTools: ['loadSkill'] })
    expect(await workspace.activateSkill('thief')).toMatchObject({
      code: 'tool-name-taken',
      hint: expect.stringContaining('Meta-tools cannot be shadowed'),
    })
    expect(await workspace.registerTool(aTool('loadSkill'), { onConflict })).toMatchObject({
      code: 'tool-name-taken',
    })
    expect(workspace.getToolSource('loadSkill')).toEqual({ source: 'global', owner: 'loadout' })
  },
)

test('a tool with the name of a meta-tool can be called by a long name', async () => {
  const twin = aSkill('twin', { tools: [aTool('loadSkill')], onConflict: 'namespace' })
  const workspace = await aWorkspace({ skills: [twin] }, { metaTools: ['loadSkill'] })
  await workspace.activateSkill('twin')
  expect(available(workspace)).toEqual(['loadSkill', 'twin__loadSkill'])
})

const version = (number: string) =>
  aTool('search', { version: number, execute: () => `search ${number}` })

test.each<{ picks: string[]; answer: string; behind: string[] }>([
  { picks: [], answer: 'search 2.1.0', behind: ['global/search@1.4.0', 'global/search@1.0.0'] },
  {
    picks: ['search@^1'],
    answer: 'search 1.4.0',
    behind: ['global/search@2.1.0', 'global/search@1.0.0'],
  },
])('of several versions an agent that picks $picks has $answer', async (row) => {
  const agent = defineAgent({ name: 'picker', versions: row.picks })
  const workspace = await aWorkspace({ agents: [agent] }, { agent })
  for (const number of ['1.4.0', '2.1.0', '1.0.0']) await workspace.registerTool(version(number))
  expect(await workspace.callTool('search', {})).toMatchObject({ data: row.answer })
  const shadowed = workspace.tools().filter(({ status }) => status === 'shadowed')
  expect(shadowed.map(({ name }) => name).toSorted()).toEqual(row.behind.toSorted())
  for (const name of row.behind) expect(workspace.explain(name).status).toBe('shadowed')
  expect(await workspace.unregisterTool('search')).toMatchObject({
    difference: { removed: ['search'] },
  })
  expect(workspace.tools()).toEqual([])
})

test('versions that another owner shadows have addresses of their own', async () => {
  const skill = aSkill('finder', { tools: [version('9.0.0')], onConflict: 'shadow' })
  const workspace = await aWorkspace(
    { skills: [skill] },
    { tools: [version('1.0.0'), version('2.0.0')] },
  )
  await workspace.activateSkill('finder')
  expect(workspace.tools().map(({ name, status }) => [name, status])).toEqual([
    ['search', 'available'],
    ['global/search@1.0.0', 'shadowed'],
    ['global/search', 'shadowed'],
  ])
})

test('owners of one name and different kinds have addresses of their own', async () => {
  const workspace = await aWorkspace({
    skills: [
      aSkill('notes', { tools: [note('skill')], onConflict: 'shadow' }),
      aSkill('top', { tools: [note('top')], onConflict: 'shadow' }),
    ],
    components: [notes],
  })
  await workspace.activateSkill('notes')
  await workspace.activateSkill('top')
  const names = workspace.tools().map(({ name }) => name)
  expect(names).toEqual(['note', 'notes/note', 'skill:notes/note'])
  expect(workspace.getToolSource('skill:notes/note')).toEqual({ source: 'skill', owner: 'notes' })
})

test('two components may share a tool, and each address has the state of its own', async () => {
  const list = (key: string) =>
    defineComponent({
      key,
      initialState: 0 as number,
      tools: (define) => [
        define({
          name: 'add',
          description: 'Add one.',
          execute: (_, { update }) => update((count) => count + 1),
        }),
      ],
      panel: (count) => ({ title: key, lines: [String(count)] }),
    })
  const workspace = await aWorkspace({ components: [list('one'), list('two')] })
  await workspace.callTool('two/add', {})
  expect(workspace.exportComponent('one')).toBe(0)
  expect(workspace.exportComponent('two')).toBe(1)
})

test('one owner cannot have two tools of the same name and version', async () => {
  const workspace = await aWorkspace({}, { tools: [note('one'), note('two')] })
  expect(workspace.notices).toMatchObject([{ code: 'tool-name-taken' }])
  expect(await workspace.registerTool(note('one'))).toMatchObject({ ok: true })
  expect(await workspace.registerTool(note('two'))).toMatchObject({
    code: 'tool-name-taken',
    message: 'Another tool named "note" is already registered.',
    hint: 'Replace it with replace: true, give this one another version, or rename it.',
  })
  expect(await workspace.registerTool(note('one'))).toMatchObject({ ok: true })
  expect(available(workspace)).toEqual(['note'])
})

test('a policy holds for a tool under the long name, too', async () => {
  const skills = [diary('namespace')]
  const definitions = { skills, components: [notes] }
  const denied = await aWorkspace(definitions, { policy: { permissions: { deny: ['note'] } } })
  await denied.activateSkill('diary')
  expect(denied.explain('diary__note')).toMatchObject({
    status: 'denied',
    because: [{}, { seq: 0, text: 'The policy denies "note".' }],
  })
  const asked = await aWorkspace(definitions, { policy: { permissions: { ask: ['note'] } } })
  await asked.activateSkill('diary')
  expect(asked.tools().map(({ name, asks }) => [name, asks])).toEqual([
    ['note', true],
    ['diary__note', true],
  ])
})

test('a tool value is never taken for another tool of its name', async () => {
  const mine = note('skill')
  const skill = aSkill('diary', { tools: [mine], onConflict: 'shadow' })
  const workspace = await aWorkspace({ skills: [skill], components: [notes] })
  expect(await workspace.callTool(mine, {})).toMatchObject({
    error: { type: 'UNAVAILABLE', details: { code: 'skill-inactive', owner: 'diary' } },
  })
  expect(await workspace.callTool(note('stranger'), {})).toMatchObject({
    error: { type: 'NOT_FOUND' },
  })
  await workspace.activateSkill('diary')
  expect(await workspace.callTool(mine, {})).toMatchObject({ data: 'skill' })
})

test('a switch by address is a switch of the name, unless it is the name of another', async () => {
  const workspace = await aWorkspace({ skills: [diary('shadow')], components: [notes] })
  expect(await workspace.setToolEnabled('notes/note', false)).toMatchObject({
    difference: { removed: ['note'] },
  })
  expect(workspace.explain('note').status).toBe('disabled')
  expect(await workspace.setToolEnabled('note', true)).toMatchObject({
    difference: { added: ['note'] },
  })
  await workspace.activateSkill('diary')
  expect(await workspace.setToolEnabled('notes/note', false)).toMatchObject({
    ok: false,
    code: 'shadowed',
  })
  expect(await workspace.callTool('note', {})).toMatchObject({ data: 'skill' })
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  '"%s" is a name like any other for skills, tools, components and arguments',
  async (name) => {
    const input = JSON.parse(
      `{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"]}`,
    ) as object
    const given = JSON.parse(`{"${name}":"x"}`) as Record<string, unknown>
    const echo = aTool(name, {
      inputSchema: input as never,
      execute: (value: unknown) => Object.entries(value as object),
    })
    const component = defineComponent({
      key: name,
      initialState: 1,
      tools: [aTool(`${name}_count`)],
      panel: (count) => ({ title: name, lines: [String(count)] }),
    })
    const workspace = await aWorkspace({
      skills: [aSkill(name, { tools: [echo] })],
      components: [component],
    })
    expect(workspace.explainSkill(name).status).toBe('inactive')
    expect(workspace.explain(name)).toMatchObject({ status: 'skill-inactive', owner: name })
    expect(await workspace.activateSkill(name)).toMatchObject({ difference: { added: [name] } })
    expect(await workspace.callTool(name, given)).toMatchObject({ data: [[name, 'x']] })
    expect(await workspace.callTool(name, {})).toMatchObject({ error: { type: 'VALIDATION' } })
    expect(await workspace.callTool(`${name}/${name}_count`, {})).toMatchObject({ ok: true })
    expect(workspace.exportComponent(name)).toBe(1)
    expect(await workspace.setToolEnabled(name, false)).toMatchObject({ ok: true })
    expect(workspace.prompt().text).toContain(name)
    expect(await workspace.deactivateSkill(name)).toMatchObject({ ok: true })
    expect(workspace.explain('valueOf')).toMatchObject({ status: 'unknown', owner: null })
  },
)
