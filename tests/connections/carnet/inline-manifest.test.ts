import { Carnet, type InlineManifest, PromptGenerator, VariableInjector } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { HOST_TOOLS } from './host-tools.ts'
import { runTool } from './run-tool.ts'

/** The same project as Carnet 0.3.1 builds it: no member `tools`, toolsets describe theirs. */
function anInlineManifest(): InlineManifest {
  const { tools, toolsets, ...rest } = aManifest()
  const inline = Object.entries(toolsets).map(([key, toolset]) => {
    const described = toolset.tools.map((name) => ({
      name,
      description: tools[name]?.description ?? '',
    }))
    return [key, { ...toolset, tools: described }] as const
  })
  return { ...rest, toolsets: Object.fromEntries(inline) }
}

const make = () => new Carnet(anInlineManifest(), { variables: { COMPANY: 'Acme' } })

test('a prompt has the headings of 0.3.1, and loaded skills leave its catalog', async () => {
  const carnet = make()
  const prompt = carnet.getSystemPrompt('researcher', { variables: { TOPIC: 'tea' } })
  expect(prompt).toMatchInlineSnapshot(`
    "You research tea for Acme.

    ---

    ## Skills

    You have the following skills available immediately:

    # Web search
    Ask Acme first.

    ---

    ## On-Demand Skills

    You can load these skills on-demand by using the \`loadSkill\` tool:

    - **dataAnalysis**: Analyse data.
    - **documents**: Read documents.

    ---

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

    Note: tools associated to skills are automatically available once the skill is loaded.

    ## Available Domain Tools

    Based on your loaded skills, you can now use these tools:

    - **basicSearch**: Perform basic web search
    - **advancedSearch**: Search with filters
    - **filterByDate**: Filter by date"
  `)
  await runTool(carnet.getTools('researcher'), 'loadSkill', { skillName: 'dataAnalysis' })
  const after = carnet.getSystemPrompt('researcher')
  const [, catalog = ''] = after.split('## On-Demand Skills')
  expect(catalog.split('## How to Load Skills')[0]).not.toContain('dataAnalysis')
  expect(after).toContain('## Currently Loaded Skills')
  expect(after).toContain('- **dataAnalysis**: Analyse data. (toolsets: statistical-analysis)')
  await runTool(carnet.getTools('researcher'), 'loadSkill', { skillName: 'documents' })
  expect(carnet.getSystemPrompt('researcher')).not.toContain('## On-Demand Skills')
})

test('toolsets are returned with the tools that they describe, and bring them', () => {
  const carnet = make()
  const filters = [{ name: 'filterByDate', description: 'Filter by date' }]
  expect(carnet.getToolset('filter-tools')?.tools).toEqual(filters)
  expect(carnet.getToolsetMetadata('filter-tools').tools).toEqual(filters)
  expect(carnet.listToolsetTools('filter-tools')).toEqual(filters)
  expect(carnet.getTool('filterByDate')).toMatchObject(filters[0] ?? {})
  const tools = carnet.getTools('researcher', { tools: HOST_TOOLS })
  expect(Object.keys(tools)).toEqual(
    Object.keys(new Carnet(aManifest()).getTools('researcher', { tools: HOST_TOOLS })),
  )
  expect(carnet.diagnostics).toEqual([])
})

test('a file may have no text in a manifest of 0.3.1, and only there', () => {
  const files = [{ path: 'a.md', description: 'A' }]
  const manifest = anInlineManifest()
  Object.assign(manifest.skills['documents'] ?? {}, { files })
  expect(new Carnet(manifest).loadSkillFile('documents', 'a.md')).toBe('')
  const published = aManifest()
  Object.assign(published.skills['documents'] ?? {}, { files })
  expect(() => new Carnet(published)).toThrow('Invalid manifest format')
})

test.each([
  { what: 'a tool without a description', tool: { name: 'x' } },
  { what: 'a tool without a name', tool: { description: 'x' } },
  { what: 'a tool that is a number', tool: 1 },
])('$what in a toolset is refused', ({ tool }) => {
  const manifest = anInlineManifest()
  const known = { name: 'known', description: 'Known.' }
  Object.assign(manifest.toolsets['filter-tools'] ?? {}, { tools: [known, tool] })
  expect(() => new Carnet(manifest)).toThrow('Invalid manifest format')
})

test('a generator writes the headings of the version it is made for', () => {
  const { agents, skills } = aManifest()
  const { researcher, webSearch, documents } = { ...agents, ...skills } as never
  const generator = new PromptGenerator(new VariableInjector(), undefined, '0.3.1')
  const { content } = generator.generateAgentPrompt(researcher, [webSearch], [webSearch, documents])
  expect(content.match(/^## .*/gm)).toEqual([
    '## Skills',
    '## On-Demand Skills',
    '## How to Load Skills',
  ])
  expect(content).toContain('tools associated to skills are automatically available')
  const toolset = { name: 'a', description: 'A.', tools: [{ name: 'x', description: 'X.' }] }
  expect(generator.generateToolsetMetadataSection(toolset as never, toolset.tools)).toContain(
    '- **x**: X.',
  )
})
