import { expect, test } from 'vitest'
import { definitionsOfManifest } from '../../../../src/connections/carnet/format/definitions-of-manifest.ts'
import { manifestOfDefinitions } from '../../../../src/connections/carnet/format/manifest-of-definitions.ts'
import { readCarnetManifest } from '../../../../src/connections/carnet/format/read-carnet-manifest.ts'
import { defineAgent } from '../../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { defineTool } from '../../../../src/tools/define-tool.ts'

const MANIFEST = {
  version: 1,
  app: { globalInitialSkills: ['Web Search'], globalSkills: [] },
  agents: {
    researcher: {
      name: 'researcher',
      description: 'Researches.',
      initialSkills: [],
      skills: ['notes'],
      prompt: '# Researcher',
    },
  },
  skills: {
    'Web Search': {
      name: 'Web Search',
      description: 'Search.',
      toolsets: ['search tools'],
      files: [{ path: 'tips.md', description: 'Tips', content: 'Tip.' }],
      content: '\n# Web Search\n',
    },
    notes: { name: 'notes', description: 'Notes.', content: '' },
  },
  toolsets: {
    'search tools': {
      name: 'search tools',
      description: 'Search.',
      tools: ['basicSearch'],
      content: 'Use it.',
    },
  },
  tools: { basicSearch: { name: 'basicSearch', description: 'Searches.', content: '# Doc' } },
}

const definitions = (value: unknown) => {
  const { manifest, diagnostics } = readCarnetManifest(value)
  if (manifest === null) throw new Error('the manifest could not be read')
  return { diagnostics, defined: definitionsOfManifest(manifest) }
}

test('a manifest gives skills, toolsets, tools and agents, under names that can be used', async () => {
  const { defined, diagnostics } = definitions(MANIFEST)
  expect(diagnostics).toEqual([])
  expect(defined).toMatchObject({
    skills: [
      {
        name: 'Web-Search',
        displayName: 'Web Search',
        aliases: ['Web Search'],
        toolsets: ['search-tools'],
        instructions: '# Web Search',
        files: [{ path: 'tips.md', description: 'Tips', size: 4 }],
      },
      { name: 'notes', toolsets: [], files: [] },
    ],
    toolsets: [{ name: 'search-tools', tools: ['basicSearch'], instructions: 'Use it.' }],
    tools: [{ name: 'basicSearch', documentation: '# Doc', category: 'action' }],
    agents: [{ name: 'researcher', initialSkills: ['Web-Search'], skills: ['notes'] }],
    diagnostics: [],
  })
  expect(await defined.skills[0]?.readFile?.('tips.md')).toBe('Tip.')
  expect(await defined.tools[0]?.parseInput({ any: 1 })).toEqual({ ok: true, value: { any: 1 } })
})

test('a wrong entry is an error that names it, and the others are read', () => {
  const skills = { ...MANIFEST.skills, bad: { name: 'bad', description: '', content: '' } }
  const tools = { bad: { name: 'bad' } }
  const { defined, diagnostics } = definitions({ ...MANIFEST, skills, tools, toolsets: [] })
  expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'error: The skill "bad" is left out: "description" must not be empty.',
    'error: "toolsets" must be an object of toolsets by name.',
    'error: The tool "bad" is left out: "description" must be text.',
  ])
  expect(defined.skills).toHaveLength(2)
})

test.each([
  { value: null, code: 'manifest-invalid' },
  { value: [], code: 'manifest-invalid' },
  { value: { ...MANIFEST, version: 2 }, code: 'manifest-version' },
])('$code: nothing is read', ({ value, code }) => {
  expect(readCarnetManifest(value)).toMatchObject({ manifest: null, diagnostics: [{ code }] })
})

test('files that lead out of their skill are left out, and names that JavaScript knows work', () => {
  const files = ['../x', '/etc/passwd', 'a\\b', 'C:x', 'ok.md', '__proto__'].map((path) => ({
    path,
    description: 'D',
    content: '',
  }))
  const value = JSON.parse(
    JSON.stringify({
      skills: { x: { name: 'constructor', description: 'D', content: '', files } },
    }).replace('"x":', '"__proto__":'),
  )
  const { defined } = definitions(value)
  expect(defined.skills).toMatchObject([
    { name: 'constructor', files: [{ path: 'ok.md' }, { path: '__proto__' }] },
  ])
  expect(defined.diagnostics.map(({ code }) => code)).toEqual([
    'file-path-outside',
    'file-path-outside',
    'file-path-outside',
    'file-path-outside',
  ])
})

test('what a manifest of 0.3.0 says is there again when its definitions are written down', () => {
  const { 'Web Search': _, ...skills } = MANIFEST.skills
  const value = {
    ...MANIFEST,
    app: { globalInitialSkills: [], globalSkills: [] },
    skills: { notes: { ...skills.notes, toolsets: [], files: [] } },
    toolsets: { web: { ...MANIFEST.toolsets['search tools'], name: 'web' } },
  }
  const { defined } = definitions(value)
  const { manifest, diagnostics } = manifestOfDefinitions(defined, () => undefined)
  expect(diagnostics).toEqual([])
  expect(JSON.parse(JSON.stringify(manifest))).toEqual(value)
})

test('what Carnet has no field for is reported, and names without a target are left out', () => {
  const search = defineTool({ name: 'kb-search', description: 'Searches.' })
  const { manifest, diagnostics } = manifestOfDefinitions(
    {
      skills: [
        defineSkill({
          name: 'kb',
          description: 'D',
          tools: [search],
          toolsets: ['gone'],
          requires: ['base'],
          lifetime: { uses: 1 },
        }),
      ],
      toolsets: [],
      tools: [],
      agents: [defineAgent({ name: 'a', mode: 'voice', initialSkills: ['gone'] })],
    },
    () => undefined,
  )
  expect(diagnostics.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "Carnet has no place for these fields of the skill "kb": requires, lifetime.",
      "Carnet has no place for these fields of the agent "a": mode.",
      "Carnet does not allow the tool name "kb-search"; the export uses "kb_search".",
    ]
  `)
  expect(manifest).toMatchObject({
    agents: { a: { description: 'A', initialSkills: [], skills: ['kb'] } },
    skills: { kb: { toolsets: ['kb-own-tools'] } },
    toolsets: { 'kb-own-tools': { tools: ['kb_search'] } },
    tools: { kb_search: { description: 'Searches.' } },
  })
})

test('a manifest of Carnet 0.3.1 is read: toolsets describe their tools, files may have no text', () => {
  const { tools: _, ...rest } = MANIFEST
  const { manifest, diagnostics } = readCarnetManifest({
    ...rest,
    skills: { a: { name: 'a', description: 'A.', files: [{ path: 'x.md' }], content: '' } },
    toolsets: {
      web: {
        name: 'web',
        description: 'W.',
        tools: [{ name: 'fetch', description: 'Fetches.' }],
        content: 'Use it.',
      },
    },
  })
  expect(diagnostics).toEqual([])
  expect(manifest).toMatchObject({
    skills: { a: { files: [{ path: 'x.md', content: '' }] } },
    toolsets: { web: { tools: ['fetch'] } },
    tools: { fetch: { name: 'fetch', description: 'Fetches.', content: '' } },
  })
})
