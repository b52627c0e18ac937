import { Carnet } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { HOST_TOOLS } from './host-tools.ts'
import { runTool } from './run-tool.ts'

const HEADINGS = /^#{2,3} .*$/gm

const make = () => new Carnet(aManifest(), { variables: { COMPANY: 'Acme' } })
const headings = (prompt: string) => prompt.match(HEADINGS)

test('a prompt is the agent, its initial skills, the catalog, how to load, and the tools', () => {
  const prompt = make().getSystemPrompt('researcher', { variables: { TOPIC: 'tea' } })
  expect(prompt).toMatchInlineSnapshot(`
    "You research tea for Acme.

    ## Initial Skills

    You have the following skills available immediately:

    ## Skill: webSearch

    Search the web.

    # Web search
    Ask Acme first.

    ## Available Skills (On-Demand)

    You can load these skills on-demand by using the \`loadSkill\` tool:

    - **webSearch**: Search the web.
    - **dataAnalysis**: Analyse data.
    - **documents**: Read documents.

    ## How to Load Skills

    Available Skills are loaded when they are needed. Before you work on what a skill is for, call \`loadSkill({ skillName: "..." })\` with its name, unless it is loaded already.

    When you load a skill:
    1. You receive its instructions in full
    2. You receive a list of available files (if any) with descriptions
    3. All associated toolsets and tools are automatically loaded
    4. You can load specific files on-demand using the \`loadSkillFile\` tool

    Available tools for progressive loading:
    - \`loadSkill(skillName)\` - Load a skill and get access to its tools
    - \`loadSkillFile(skillName, path)\` - Load a specific file from a loaded skill

    Note: You do not need to manually load toolsets or individual tools: they come with the skill that has them.

    ## Available Domain Tools

    Based on your loaded skills, you can now use these tools:

    - **basicSearch**: Perform basic web search
    - **advancedSearch**: Search with filters
    - **filterByDate**: Filter by date"
  `)
})

test('the loaded skills are listed once one was loaded that was not there from the start', async () => {
  const carnet = make()
  expect(headings(carnet.getSystemPrompt('researcher'))).not.toContain('## Currently Loaded Skills')
  await runTool(carnet.getTools('researcher'), 'loadSkill', { skillName: 'dataAnalysis' })
  const prompt = carnet.getSystemPrompt('researcher')
  expect(headings(prompt)).toContain('## Currently Loaded Skills')
  expect(prompt).toContain('- **dataAnalysis**: Analyse data. (toolsets: statistical-analysis)')
})

test.each([
  { flags: { includeInitialSkills: false }, without: '## Initial Skills' },
  { flags: { includeSkillCatalog: false }, without: '## Available Skills (On-Demand)' },
  { flags: { includeSkillCatalog: false }, without: '## How to Load Skills' },
  { flags: { includeLoadedSkills: false }, without: '## Currently Loaded Skills' },
  { flags: { includeAvailableTools: false }, without: '## Available Domain Tools' },
])('$flags leaves out $without and nothing else', async ({ flags, without }) => {
  const carnet = make()
  await runTool(carnet.getTools('researcher'), 'loadSkill', { skillName: 'dataAnalysis' })
  const all = { includeLoadedSkills: true, includeAvailableTools: true, tools: HOST_TOOLS }
  const full = carnet.generateAgentPrompt('researcher', all).content
  const part = carnet.generateAgentPrompt('researcher', { ...all, ...flags }).content
  expect(headings(full)).toContain(without)
  expect(headings(part)).not.toContain(without)
  for (const kept of headings(part) ?? []) expect(headings(full)).toContain(kept)
})

test('with includeLoadedSkills the initial skills are listed, too', () => {
  const prompt = make().getSystemPrompt('researcher', { includeLoadedSkills: true })
  expect(prompt).toContain(
    '- **webSearch**: Search the web. (toolsets: search-tools, filter-tools)',
  )
})

test('a prompt comes with what it was made of', () => {
  const { agent, initialSkills, availableSkills } = make().generateAgentPrompt('researcher')
  expect(agent.name).toBe('researcher')
  expect(initialSkills.map(({ name }) => name)).toEqual(['webSearch'])
  expect(availableSkills.map(({ name }) => name)).toEqual([
    'webSearch',
    'dataAnalysis',
    'documents',
  ])
})

test('an agent without skills reads its prompt and nothing else', () => {
  const manifest = aManifest()
  manifest.agents['alone'] = {
    name: 'alone',
    description: 'a',
    initialSkills: [],
    skills: [],
    prompt: 'Alone.',
  }
  expect(new Carnet(manifest).getSystemPrompt('alone')).toBe('Alone.')
})

test('variables of a call win, and a name that nobody has stays as written', () => {
  const prompt = make().getSystemPrompt('researcher', { variables: { COMPANY: 'Other' } })
  expect(prompt).toContain('You research {{ TOPIC }} for Other.')
})

test('skills of the whole project belong to every agent', () => {
  const manifest = aManifest()
  manifest.app = { globalInitialSkills: ['documents'], globalSkills: ['dataAnalysis'] }
  const carnet = new Carnet(manifest)
  expect(carnet.getSystemPrompt('writer')).toContain('## Skill: documents')
  expect(carnet.getDiscoveredSkills('writer')).toEqual(['documents'])
  expect(carnet.listAvailableSkills('writer').map(({ name }) => name)).toEqual([
    'documents',
    'dataAnalysis',
  ])
})

test('the loading instructions name the meta-tools that are offered', () => {
  const carnet = new Carnet(aManifest(), { metaTools: ['loadSkill', 'loadTool'] })
  const prompt = carnet.getSystemPrompt('researcher')
  expect(prompt).toContain('`loadTool(toolName)`')
  expect(prompt).not.toContain('loadSkillFile')
  const without = new Carnet(aManifest(), { metaTools: [] })
  expect(headings(without.getSystemPrompt('researcher'))).not.toContain('## How to Load Skills')
})

test('invisible characters are shown, and line breaks are kept', () => {
  const manifest = aManifest()
  manifest.agents['writer'] = {
    name: 'writer',
    description: 'Writes.',
    initialSkills: [],
    skills: [],
    prompt: 'One\r\nTwo',
  }
  expect(new Carnet(manifest).getSystemPrompt('writer')).toBe('One\r\nTwo')
  manifest.agents['writer'].prompt = 'safe\u202Eevas'
  expect(new Carnet(manifest).getSystemPrompt('writer')).toBe('safe<U+202E>evas')
})
