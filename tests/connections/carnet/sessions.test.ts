import { Carnet } from 'loadout/carnet'
import { createMemoryLog } from 'loadout'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { HOST_TOOLS } from './host-tools.ts'
import { runTool } from './run-tool.ts'

const make = () => new Carnet(aManifest())
const load = (carnet: Pick<Carnet, 'getTools'>, skillName: string, agent = 'researcher') =>
  runTool(carnet.getTools(agent, { tools: HOST_TOOLS }), 'loadSkill', { skillName })

test('before the first prompt or getTools there is no session', () => {
  const carnet = make()
  expect(carnet.getSessionState('researcher')).toBeNull()
  expect(carnet.getToolFilteringDiagnostics('researcher')).toBeNull()
  expect(carnet.getDiscoveredSkills('researcher')).toEqual([])
  expect(carnet.getAvailableTools('researcher')).toEqual([])
  expect(carnet.getWarnings('researcher')).toEqual([])
})

test.each([
  { opens: 'a prompt', by: (carnet: Carnet) => carnet.getSystemPrompt('researcher') },
  { opens: 'getTools', by: (carnet: Carnet) => carnet.getTools('researcher') },
])('$opens opens a session with the initial skills and what they bring', ({ by }) => {
  const carnet = make()
  by(carnet)
  expect(carnet.getSessionState('researcher')).toEqual({
    agentName: 'researcher',
    discoveredSkills: new Set(['webSearch']),
    loadedToolsets: new Set(['search-tools', 'filter-tools']),
    exposedDomainTools: new Set(['basicSearch', 'advancedSearch', 'filterByDate']),
  })
})

test('a session state is a copy', () => {
  const carnet = make()
  carnet.getTools('researcher')
  carnet.getSessionState('researcher')?.discoveredSkills.add('secrets')
  expect(carnet.getDiscoveredSkills('researcher')).toEqual(['webSearch'])
})

test('a loaded skill is discovered, and reset puts the session back to its start', async () => {
  const carnet = make()
  await load(carnet, 'dataAnalysis')
  expect(carnet.getDiscoveredSkills('researcher')).toEqual(['webSearch', 'dataAnalysis'])
  expect(carnet.getAvailableTools('researcher')).toContain('analyzeStatistics')
  carnet.resetSession('researcher')
  expect(carnet.getSessionState('researcher')).toBeNull()
  expect(carnet.getTools('researcher', { tools: HOST_TOOLS })).not.toHaveProperty(
    'analyzeStatistics',
  )
  expect(carnet.getDiscoveredSkills('researcher')).toEqual(['webSearch'])
})

test('tools that were made before a reset load into the session of after', async () => {
  const carnet = make()
  const tools = carnet.getTools('researcher')
  carnet.resetSession('researcher')
  expect(await runTool(tools, 'loadSkill', { skillName: 'dataAnalysis' })).toMatchObject({
    success: true,
  })
  expect(carnet.getDiscoveredSkills('researcher')).toContain('dataAnalysis')
})

test('agents do not share a session', async () => {
  const carnet = make()
  await load(carnet, 'documents')
  carnet.getTools('writer')
  expect(carnet.getDiscoveredSkills('writer')).toEqual([])
})

test('each conversation has sessions of its own, and shares what is registered', async () => {
  const carnet = make()
  carnet.registerDomainToolset('statistical-analysis', HOST_TOOLS)
  const ann = carnet.session('ann')
  await load(ann, 'dataAnalysis')
  expect(ann.getTools('researcher')).toHaveProperty('analyzeStatistics')
  for (const other of [carnet, carnet.session('bob')]) {
    other.getTools('researcher')
    expect(other.getDiscoveredSkills('researcher')).toEqual(['webSearch'])
  }
  expect(carnet.session('ann')).toBe(ann)
  carnet.resetSession('researcher')
  expect(ann.getDiscoveredSkills('researcher')).toContain('dataAnalysis')
})

test('a conversation that has ended starts again, and leaves nothing in the log', async () => {
  const log = createMemoryLog()
  const carnet = new Carnet(aManifest(), { log })
  await load(carnet.session('ann'), 'dataAnalysis')
  expect(await log.list()).toHaveLength(1)
  carnet.endSession('ann')
  expect(await log.list()).toEqual([])
  expect(carnet.session('ann').getSessionState('researcher')).toBeNull()
})

test('what happened is in the log: who loaded which skill, by which call', async () => {
  const carnet = make()
  await load(carnet, 'dataAnalysis')
  const entries = await carnet.workspace('researcher').entries()
  const opened = entries.flatMap(({ cause, event }) =>
    event.type === 'source.opened' ? [{ owner: event.owner, cause }] : [],
  )
  expect(opened).toEqual([
    { owner: 'webSearch', cause: { by: 'initial' } },
    { owner: 'dataAnalysis', cause: { by: 'model', call: 'call-of-loadSkill' } },
  ])
})

test('the workspace explains what Carnet exposes', async () => {
  const carnet = make()
  const workspace = carnet.workspace('researcher')
  expect(workspace.explain('analyzeStatistics').status).toBe('skill-inactive')
  expect((await workspace.activateSkill('dataAnalysis')).ok).toBe(true)
  expect(carnet.getDiscoveredSkills('researcher')).toContain('dataAnalysis')
  expect((await workspace.deactivateSkill('webSearch')).ok).toBe(true)
  expect(carnet.getAvailableTools('researcher')).toEqual(['analyzeStatistics'])
})

test('a skill is loaded for who simulates a call, as the guide of the package does', () => {
  const carnet = make()
  carnet._updateSessionOnSkillLoad('researcher', 'dataAnalysis')
  carnet._updateSessionOnSkillLoad('researcher', 'nothing')
  expect(carnet.getDiscoveredSkills('researcher')).toEqual(['webSearch', 'dataAnalysis'])
})

test('the diagnostics show which tools were provided, which were returned and why', () => {
  const carnet = make()
  const unlisted = HOST_TOOLS.basicSearch
  const { advancedSearch: _, ...some } = HOST_TOOLS
  carnet.getTools('researcher', { tools: { ...some, unlisted } })
  const diagnostics = carnet.getToolFilteringDiagnostics('researcher')
  expect(diagnostics).toEqual({
    providedTools: ['basicSearch', 'filterByDate', 'analyzeStatistics', 'unlisted'],
    exposedTools: ['basicSearch', 'filterByDate'],
    filteredOutTools: ['analyzeStatistics', 'unlisted'],
    reason: 'Tools filtered based on currently loaded skills and toolsets',
  })
  expect(diagnostics?.reasons).toMatchInlineSnapshot(`
    {
      "advancedSearch": "A loaded skill brings it, and it was not provided.",
      "analyzeStatistics": "Skill "dataAnalysis" has not been activated since the session opened. Activate the skill "dataAnalysis".",
      "basicSearch": "It is exposed: a loaded skill brings it.",
      "filterByDate": "It is exposed: a loaded skill brings it.",
      "unlisted": "No toolset of the manifest that a skill has lists it.",
    }
  `)
})

test('without tools the diagnostics expose none', () => {
  const carnet = make()
  carnet.getTools('researcher')
  expect(carnet.getToolFilteringDiagnostics('researcher')).toEqual({
    providedTools: [],
    exposedTools: [],
    filteredOutTools: [],
    reason: 'No tools provided or filtering not yet performed',
  })
})

test('a user and an agent with slashes in their names are not another user of another agent', () => {
  const agent = (name: string) => ({ ...aManifest().agents['researcher'], name })
  const agents = { 'b/c': agent('b/c'), c: agent('c'), 'c%2F': agent('c%2F') }
  const carnet = new Carnet({ ...aManifest(), agents } as ReturnType<typeof aManifest>)
  const talks = [
    ['a', 'b/c'],
    ['a/b', 'c'],
    ['a%2Fb', 'c'],
    ['a/b/c%2F', 'c'],
  ] as const
  const names = talks.map(([user, name]) => carnet.session(user).workspace(name).session)
  expect(new Set(names).size).toBe(talks.length)
})
