import { Carnet, VariableInjector } from 'loadout/carnet'
import { afterEach, expect, test, vi } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { HOST_TOOLS } from './host-tools.ts'
import { runTool } from './run-tool.ts'

/** Faults of the published package, each by name. */
afterEach(() => {
  vi.unstubAllEnvs()
})

test('loadSkill does not answer with the texts of all files', async () => {
  const manifest = aManifest()
  manifest.agents['writer']?.skills.push('secrets')
  const answer = await runTool(new Carnet(manifest).getTools('writer'), 'loadSkill', {
    skillName: 'secrets',
  })
  expect(answer).toMatchObject({
    metadata: { files: [{ path: 'key.md', description: 'The key' }] },
  })
  expect(JSON.stringify((answer as { metadata: unknown }).metadata)).not.toContain('swordfish')
})

test('the section of available tools is right before getTools has run', () => {
  const carnet = new Carnet(aManifest())
  carnet.registerDomainToolset('search-tools', { basicSearch: HOST_TOOLS.basicSearch })
  const prompt = carnet.getSystemPrompt('researcher')
  expect(prompt).toContain('- **basicSearch**: basicSearch of the host')
  expect(prompt).toContain('- **filterByDate**: Filter by date')
  expect(prompt).not.toContain('- **analyzeStatistics**')
})

test('once getTools has run, a tool that nobody gave is not listed', () => {
  const carnet = new Carnet(aManifest())
  carnet.getTools('researcher', { tools: { basicSearch: HOST_TOOLS.basicSearch } })
  const prompt = carnet.getSystemPrompt('researcher')
  expect(prompt).toContain('- **basicSearch**')
  expect(prompt).not.toContain('- **advancedSearch**')
})

test('exposedTools names no tool that was not provided', () => {
  const carnet = new Carnet(aManifest())
  carnet.getTools('researcher', { tools: { basicSearch: HOST_TOOLS.basicSearch } })
  expect(carnet.getToolFilteringDiagnostics('researcher')?.exposedTools).toEqual(['basicSearch'])
})

test('toolsets that nobody wrote are not among those that are loaded', () => {
  const carnet = new Carnet(aManifest())
  carnet.getTools('researcher', { tools: HOST_TOOLS })
  expect([...(carnet.getSessionState('researcher')?.loadedToolsets ?? [])]).toEqual([
    'search-tools',
    'filter-tools',
  ])
})

test('a skill that lists name and the manifest lacks breaks nothing, and is reported', () => {
  const manifest = aManifest()
  manifest.agents['writer']?.skills.push('gone')
  manifest.agents['writer']?.initialSkills.push('gone-too')
  manifest.skills['documents']?.toolsets.push('no-toolset')
  manifest.toolsets['filter-tools']?.tools.push('noTool')
  const carnet = new Carnet(manifest)
  expect(carnet.getSystemPrompt('writer')).toContain('- **documents**')
  expect(carnet.listAvailableSkills('writer').map(({ name }) => name)).toEqual(['documents'])
  expect(carnet.listSkillToolsets('documents')).toEqual([])
  expect(carnet.diagnostics.map(({ code, message }) => `${code}: ${message}`))
    .toMatchInlineSnapshot(`
    [
      "unknown-skill: The agent "writer" names the skill "gone-too" in its initialSkills, but there is no such skill.",
      "unknown-skill: The agent "writer" names the skill "gone" in its skills, but there is no such skill.",
      "unknown-toolset: The skill "documents" names the toolset "no-toolset" in its toolsets, but there is no such toolset.",
      "unknown-tool: The toolset "filter-tools" names the tool "noTool" in its tools, but there is no such tool.",
    ]
  `)
})

test('an empty prefix does not put the whole environment into prompts', () => {
  vi.stubEnv('SECRET_KEY', 'swordfish')
  expect(new VariableInjector({ envPrefixes: [''] }).inject('{{ SECRET_KEY }}')).toBe(
    '{{ SECRET_KEY }}',
  )
})

test('errors and state of one conversation are not those of another', () => {
  const carnet = new Carnet(aManifest())
  carnet.session('ann').getTools('researcher', { tools: HOST_TOOLS })
  expect(carnet.session('bob').getToolFilteringDiagnostics('researcher')).toBeNull()
})

test('a tool is found by its own name only, not by that of a property of objects', () => {
  const tools = new Carnet(aManifest()).getTools('researcher', {
    tools: { toString: HOST_TOOLS.basicSearch, ...HOST_TOOLS },
  })
  expect(Object.hasOwn(tools, 'toString')).toBe(false)
})
