import { Carnet, CARNET_TOOL_NAMES } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { runTool } from './run-tool.ts'

const make = () =>
  new Carnet(aManifest(), { metaTools: CARNET_TOOL_NAMES, variables: { COMPANY: 'Acme' } })

test.each([
  {
    tool: 'loadSkill',
    input: { skillName: 'webSearch' },
    answer: {
      success: true,
      content: '# Web search\nAsk Acme first.',
      metadata: {
        name: 'webSearch',
        description: 'Search the web.',
        toolsets: ['search-tools', 'filter-tools'],
        files: [{ path: 'guides/queries.md', description: 'Good queries' }],
      },
      files: [{ path: 'guides/queries.md', description: 'Good queries' }],
    },
  },
  {
    tool: 'loadSkill',
    input: { skillName: 'nothing' },
    answer: {
      success: false,
      error: 'Skill not found: nothing',
      available: ['webSearch', 'dataAnalysis', 'documents'],
    },
  },
  {
    tool: 'loadSkillFile',
    input: { skillName: 'webSearch', path: 'guides/queries.md' },
    answer: { success: true, content: '# Queries\nBe brief.', path: 'guides/queries.md' },
  },
  {
    tool: 'loadSkillFile',
    input: { skillName: 'webSearch', path: 'no.md' },
    answer: { success: false, error: 'File not found in skill', path: 'no.md' },
  },
  {
    tool: 'loadSkillFile',
    input: { skillName: 'nothing', path: 'no.md' },
    answer: { success: false, error: 'Skill not found', path: 'no.md' },
  },
  {
    tool: 'listSkillToolsets',
    input: { skillName: 'webSearch' },
    answer: {
      success: true,
      toolsets: [
        { name: 'search-tools', description: 'Core search.', toolCount: 2 },
        { name: 'filter-tools', description: 'Filters.', toolCount: 1 },
      ],
    },
  },
  {
    tool: 'loadToolset',
    input: { toolsetName: 'filter-tools' },
    answer: {
      success: true,
      content: 'Filter last.',
      availableTools: [{ name: 'filterByDate', description: 'Filter by date' }],
    },
  },
  {
    tool: 'loadTool',
    input: { toolName: 'advancedSearch' },
    answer: {
      success: true,
      metadata: { name: 'advancedSearch', description: 'Search with filters' },
      content: 'Filters of Acme.',
    },
  },
  {
    tool: 'loadToolset',
    input: { toolsetName: 'constructor' },
    answer: { success: false, error: 'Failed to load toolset: Toolset not found' },
  },
  {
    tool: 'loadTool',
    input: { toolName: 'nothing' },
    answer: { success: false, error: 'Failed to load tool: Tool not found' },
  },
  {
    tool: 'listSkillToolsets',
    input: { skillName: 'nothing' },
    answer: { success: false, error: 'Failed to list toolsets: Skill not found' },
  },
])('$tool answers $input', async ({ tool, input, answer }) => {
  expect(await runTool(make().getTools('researcher'), tool, input)).toEqual(answer)
})

test('listAvailableSkills lists the skills of the agent’s lists', async () => {
  const answer = await runTool(make().getTools('writer'), 'listAvailableSkills', {})
  expect(answer).toEqual({
    success: true,
    skills: [{ name: 'documents', description: 'Read documents.', toolsets: [] }],
  })
})

test.each(['DataAnalysis', 'data analysis'])(
  '%j is understood as a skill of nearly that name',
  async (skillName) => {
    const manifest = aManifest()
    const skill = { name: 'data-analysis', description: 'a', toolsets: [], content: 'c' }
    manifest.skills['data-analysis'] = { ...skill, name: 'DataAnalysis' }
    delete manifest.skills['dataAnalysis']
    manifest.agents['researcher']?.skills.push('data-analysis')
    const tools = new Carnet(manifest).getTools('researcher')
    expect(await runTool(tools, 'loadSkill', { skillName })).toMatchObject({ success: true })
  },
)

test('a name two skills answer to is none of them', async () => {
  const manifest = aManifest()
  for (const name of ['read-me', 'read_me']) {
    manifest.skills[name] = { name, description: name, toolsets: [], content: name }
    manifest.agents['writer']?.skills.push(name)
  }
  const tools = new Carnet(manifest).getTools('writer')
  expect(await runTool(tools, 'loadSkill', { skillName: 'Read Me' })).toMatchObject({
    success: false,
  })
  expect(await runTool(tools, 'loadSkill', { skillName: 'read_me' })).toMatchObject({
    content: 'read_me',
  })
})

test.each([
  { tool: 'loadSkill', input: { skillName: 'secrets' } },
  { tool: 'loadSkillFile', input: { skillName: 'secrets', path: 'key.md' } },
  { tool: 'listSkillToolsets', input: { skillName: 'secrets' } },
  { tool: 'loadToolset', input: { toolsetName: 'secret-tools' } },
  { tool: 'loadTool', input: { toolName: 'openSafe' } },
])(
  '$tool gives an agent nothing of a skill that is on none of its lists',
  async ({ tool, input }) => {
    const carnet = make()
    const answer = await runTool(carnet.getTools('researcher'), tool, input)
    expect(answer).toMatchObject({ success: false })
    expect(JSON.stringify(answer)).not.toContain('swordfish')
    expect(carnet.getDiscoveredSkills('researcher')).toEqual(['webSearch'])
  },
)

test('a refused skill is an entry of the log, and so is one that is not there', async () => {
  const carnet = make()
  const tools = carnet.getTools('researcher')
  await runTool(tools, 'loadSkill', { skillName: 'secrets' })
  await runTool(tools, 'loadSkill', { skillName: 'nothing' })
  const entries = await carnet.workspace('researcher').entries()
  expect(entries.map(({ event }) => ('code' in event ? event.code : ''))).toEqual(
    expect.arrayContaining(['not-permitted', 'skill-unknown']),
  )
})

test('loading a skill again answers the same and changes nothing', async () => {
  const carnet = make()
  const tools = carnet.getTools('researcher')
  const first = await runTool(tools, 'loadSkill', { skillName: 'dataAnalysis' })
  const { seq } = carnet.workspace('researcher').state
  expect(await runTool(tools, 'loadSkill', { skillName: 'dataAnalysis' })).toEqual(first)
  expect(carnet.workspace('researcher').state.seq).toBe(seq)
})

test('invisible characters are shown in answers, and line breaks are kept', async () => {
  const manifest = aManifest()
  const [file] = manifest.skills['webSearch']?.files ?? []
  if (file === undefined) throw new Error('the skill has a file')
  Object.assign(manifest.skills['webSearch'] ?? {}, {
    content: 'safe\u202Eevas',
    description: '\u{E0041}',
  })
  Object.assign(file, { content: 'One\r\nTwo' })
  const tools = new Carnet(manifest, { metaTools: CARNET_TOOL_NAMES }).getTools('researcher')
  expect(await runTool(tools, 'loadSkill', { skillName: 'webSearch' })).toMatchObject({
    content: 'safe<U+202E>evas',
    metadata: { description: '<U+E0041>' },
  })
  const read = { skillName: 'webSearch', path: file.path }
  expect(await runTool(tools, 'loadSkillFile', read)).toMatchObject({ content: 'One\r\nTwo' })
})
