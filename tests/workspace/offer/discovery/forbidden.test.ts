import { defineAgent, defineSkill, type WorkspaceOptions } from 'loadout'
import { expect, test } from 'vitest'
import {
  aSearchingWorkspace,
  aTool,
  definitions,
  modelCall,
  offered,
  search,
  sent,
} from './a-searching-workspace.ts'

const QUERY = 'delete image'
const TOOL = 'cms_deleteImage'

type Forbidding = Omit<WorkspaceOptions, 'catalog'>

test.each<[string, Forbidding]>([
  ['that policy denies', { policy: { permissions: { deny: ['cms_delete*'] } } }],
  [
    'whose skill the agent may not load',
    { agent: defineAgent({ name: 'clerk', skills: ['cms-pages'] }) },
  ],
  [
    'that the agent does not show',
    { agent: defineAgent({ name: 'clerk', skills: '*', tools: ['cms_find*'] }) },
  ],
])('a tool %s is neither offered, nor sent, nor called', async (_, options) => {
  const workspace = await aSearchingWorkspace(options)
  const page = await search(workspace, QUERY)
  expect(JSON.stringify(page)).not.toContain(TOOL)
  expect(workspace.state.found.map(({ name }) => name)).not.toContain(TOOL)
  expect(await sent(workspace)).not.toContain(TOOL)
  expect(await modelCall(workspace, TOOL, {})).toMatchObject({ ok: false })
})

test('a tool that its mode blocks is not offered, and is where the mode allows it', async () => {
  const given = { tools: [aTool('show_chart', { description: 'Show a chart.', modes: ['text'] })] }
  const voice = await aSearchingWorkspace({ policy: { mode: 'voice' } }, given)
  expect(offered(await search(voice, 'show a chart'))).toEqual([])
  const text = await aSearchingWorkspace({ policy: { mode: 'text' } }, given)
  expect(offered(await search(text, 'show a chart'))).toEqual(['show_chart now'])
})

test('a tool that was switched off is not offered until it is on again', async () => {
  const workspace = await aSearchingWorkspace()
  await workspace.setToolEnabled('weather_today', false)
  expect(offered(await search(workspace, 'weather of a city'))).toEqual([])
  await workspace.setToolEnabled('weather_today', true)
  await workspace.beginTurn()
  expect(offered(await search(workspace, 'weather of a city'))).toEqual(['weather_today now'])
})

test('a tool that nobody can run is not offered', async () => {
  const unbound = aTool('paint_fence', {
    description: 'Paint a fence.',
    execute: undefined as never,
  })
  const workspace = await aSearchingWorkspace({}, { tools: [unbound] })
  expect(offered(await search(workspace, 'paint a fence'))).toEqual([])
})

test('what is forbidden takes no place from what is not', async () => {
  const secret = Array.from({ length: 30 }, (_, at) =>
    aTool(`secret_report_${at}`, { description: 'Open the secret report.' }),
  )
  const open = aTool('open_letter', { description: 'Open a letter or a report.' })
  const workspace = await aSearchingWorkspace(
    { policy: { permissions: { deny: ['secret_*'] } } },
    { tools: [...secret, open] },
  )
  const page = await search(workspace, 'open the secret report', 1)
  expect(offered(page)).toEqual(['open_letter now'])
})

test('a tool found before it was forbidden is not sent any more, and is refused', async () => {
  const workspace = await aSearchingWorkspace()
  await search(workspace, 'weather of a city')
  expect(await sent(workspace)).toContain('weather_today')
  await workspace.setToolEnabled('weather_today', false)
  expect(await sent(workspace)).not.toContain('weather_today')
  expect(await modelCall(workspace, 'weather_today', {})).toMatchObject({
    error: { details: { code: 'disabled' } },
  })
})

test('a related tool is added only if it may be used', async () => {
  const workspace = await aSearchingWorkspace({ policy: { permissions: { deny: [TOOL] } } })
  const { tools } = await search(workspace, 'cms_findImage', 5)
  expect(tools.map(({ name }) => name)).not.toContain(TOOL)
})

test('a tool without calls left in this turn is offered for the next one', async () => {
  const workspace = await aSearchingWorkspace({ policy: { callsPerTurn: { retrieval: 1 } } })
  await modelCall(workspace, 'weather_today', {})
  const page = await search(workspace, 'weather of a city')
  expect(offered(page)).toEqual(['weather_today next-turn'])
  expect(page.instruction).toContain('no calls left in this turn')
  await workspace.beginTurn()
  expect(offered(await search(workspace, 'weather of a city'))).toEqual(['weather_today now'])
})

test('a tool of a skill that is not loaded is one for the next turn, too, when its calls are spent', async () => {
  const workspace = await aSearchingWorkspace({ policy: { callsPerTurn: { retrieval: 1 } } })
  await modelCall(workspace, 'weather_today', {})
  expect(offered(await search(workspace, 'find the hero image'))).toContain(
    'cms_findImage next-turn',
  )
  await workspace.beginTurn()
  expect(offered(await search(workspace, 'find the hero image'))).toContain('cms_findImage on-call')
})

test.each([
  { tool: 'weather_today', query: 'weather of a city' },
  { tool: 'cms_findImage', query: 'find the hero image' },
])('$tool, found as one for the next turn, is called in it without a search', async (given) => {
  const workspace = await aSearchingWorkspace({ policy: { callsPerTurn: { retrieval: 1 } } })
  await modelCall(workspace, 'weather_today', {})
  await search(workspace, given.query, 1)
  expect(await sent(workspace)).not.toContain(given.tool)
  expect(await modelCall(workspace, given.tool, {})).toMatchObject({ ok: false })
  await workspace.beginTurn()
  expect(await sent(workspace)).toContain(given.tool)
  expect(await modelCall(workspace, given.tool, {})).toMatchObject({ ok: true })
})

test('a tool that no turn has a call for is not offered', async () => {
  const workspace = await aSearchingWorkspace({ policy: { callsPerTurn: { retrieval: 0 } } })
  expect(offered(await search(workspace, 'weather of a city'))).toEqual([])
})

test('a tool that the agent does not show is not offered when its calls are spent, either', async () => {
  const agent = defineAgent({ name: 'clerk', skills: '*', tools: ['cms_*'] })
  const workspace = await aSearchingWorkspace({ agent, policy: { callsPerTurn: { retrieval: 1 } } })
  await search(workspace, 'find the hero image')
  expect(await modelCall(workspace, 'cms_findImage', {})).toMatchObject({ ok: true })
  expect(offered(await search(workspace, 'weather of a city'))).toEqual([])
})

test('tools of a skill that cannot be loaded take no place, however many there are', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `secret_report_${at}`)
  const broken = defineSkill({
    name: 'reports',
    description: 'Reports.',
    requires: ['nowhere'],
    tools: names.map((name) => aTool(name, { description: 'Open the secret report.' })),
  })
  const open = aTool('open_letter', { description: 'Open a letter or a report.' })
  const workspace = await aSearchingWorkspace({}, { skills: [broken], tools: [open] })
  const page = await search(workspace, 'open the secret report', 1)
  expect(offered(page)).toEqual(['open_letter now'])
})

test('neither a skill that brings a tool named like a meta-tool is offered, nor any tool of it', async () => {
  const posing = defineSkill({
    name: 'posing',
    description: 'Open the report.',
    tools: [aTool('tool_search'), aTool('open_report', { description: 'Open the report.' })],
  })
  const open = aTool('open_letter', { description: 'Open a letter or a report.' })
  const workspace = await aSearchingWorkspace({}, { skills: [posing], tools: [open] })
  const page = await search(workspace, 'open the report')
  expect(offered(page)).toEqual(['open_letter now'])
  expect(page.skills).toEqual([])
})

test('a tool of a skill that conflicts with another has to be loaded first', async () => {
  const rival = defineSkill({
    name: 'rival',
    description: 'Another way.',
    conflicts: ['cms-images'],
    tools: [aTool('rival_tool')],
  })
  const workspace = await aSearchingWorkspace({}, { skills: [...definitions.skills, rival] })
  await workspace.activateSkill('rival')
  expect(offered(await search(workspace, 'find the hero image'))[0]).toBe(
    'cms_findImage load-first',
  )
})

test('a skill that the agent may not load is not offered', async () => {
  const agent = defineAgent({ name: 'clerk', skills: ['cms-pages'] })
  const workspace = await aSearchingWorkspace({ agent })
  const { skills } = await search(workspace, 'pictures and pages of the site')
  expect(skills.map(({ id }) => id)).toEqual(['cms-pages'])
})

test('without a way to load them, skills are not offered for themselves', async () => {
  const workspace = await aSearchingWorkspace({ metaTools: ['tool_search'] })
  expect((await search(workspace, 'pages of the site')).skills).toEqual([])
})
