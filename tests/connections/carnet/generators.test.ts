import { PromptGenerator, ToolRegistry, VariableInjector } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { answering } from './host-tools.ts'

const generator = new PromptGenerator(new VariableInjector({ variables: { COMPANY: 'Acme' } }))
const { agents, skills, toolsets, tools } = aManifest()

test('a generator writes the prompt of an agent from what it is given', () => {
  const { researcher, webSearch } = { ...agents, ...skills } as never
  const made = generator.generateAgentPrompt(researcher, [webSearch], [webSearch])
  expect(made.content).toMatch(/^You research .* for Acme\.\n\n## Initial Skills\n/)
  expect(made.content).toContain('## How to Load Skills')
  expect(made).toMatchObject({
    agent: researcher,
    initialSkills: [webSearch],
    availableSkills: [webSearch],
  })
  const bare = generator.generateAgentPrompt(researcher, [], [])
  expect(bare.content).toBe('You research {{ TOPIC }} for Acme.')
})

test('several initial skills are set apart', () => {
  const { researcher, webSearch, documents } = { ...agents, ...skills } as never
  const { content } = generator.generateAgentPrompt(researcher, [webSearch, documents], [])
  expect(content).toContain(
    'Ask Acme first.\n\n---\n\n## Skill: documents\n\nRead documents.\n\n# Documents',
  )
})

test('a skill is listed with its toolsets, a toolset with its tools', () => {
  const { webSearch } = skills as never
  expect(generator.generateSkillMetadataSection(webSearch, Object.values(toolsets)))
    .toMatchInlineSnapshot(`
    "## Skill: webSearch

    Search the web.

    ### Associated Toolsets

    - **search-tools**: Core search.
    - **filter-tools**: Filters."
  `)
  expect(generator.generateSkillMetadataSection(webSearch, [])).toBe(
    '## Skill: webSearch\n\nSearch the web.',
  )
  const { 'filter-tools': filters } = toolsets as never
  expect(generator.generateToolsetMetadataSection(filters, Object.values(tools)))
    .toMatchInlineSnapshot(`
    "## Toolset: filter-tools

    Filters.

    ### Tools in this Toolset

    - **filterByDate**: Filter by date"
  `)
  expect(generator.generateToolsetMetadataSection(filters, [])).toBe(
    '## Toolset: filter-tools\n\nFilters.',
  )
})

test('a registry keeps tools by toolset, and the last of a name wins', () => {
  const registry = new ToolRegistry()
  const [one, two, three] = ['one', 'two', 'three'].map(answering) as never[]
  expect(registry.getTools('a')).toBeUndefined()
  registry.register('a', { x: one as never })
  registry.register('a', { y: two as never })
  registry.register('b', { y: three as never })
  expect(registry.listToolsets()).toEqual(['a', 'b'])
  expect(registry.getTools('a')).toEqual({ x: one, y: two })
  expect(registry.getToolsForToolsets(new Set(['a', 'b', 'no']))).toEqual({ x: one, y: three })
  expect(registry.getToolsForToolsets([])).toEqual({})
})
