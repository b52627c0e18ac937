import { readFile, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { loadCarnet } from '../../../../src/workbench/project/folders/load-carnet.ts'
import { loadSkills } from '../../../../src/workbench/project/folders/load-skills.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { writeCarnetManifest } from '../../../../src/workbench/project/export/export-carnet.ts'
import { VirtualWorkspace } from '../../../../src/workspace/virtual-workspace.ts'
import { temporaryFolder, type Tree } from '../temporary-folder.ts'

const SKILL = '---\nname: webSearch\ndescription: Searches.\ntoolsets: []\n---\n'

/** A Carnet project as its documents describe one, newer and older files side by side. */
const PROJECT: Tree = {
  'carnet.config.json': JSON.stringify({
    app: { globalInitialSkills: [], globalSkills: ['analysis'] },
    variables: { COMPANY: 'Acme', QUERY: 'a=b' },
    envPrefix: ['LOADOUT_TEST_'],
    exclude: ['**/drafts/**', 'skills/search/secret.md'],
    output: './dist',
  }),
  'README.md': '# A project',
  'agents/team/researcher/AGENT.md':
    '---\nname: researcher\ndescription: Researches.\ninitialSkills:\n  - search\n---\n\n# At {{ COMPANY }}: {{ QUERY }} {{ LOADOUT_TEST_KEY }}\n',
  'skills/search/SKILL.md':
    '---\nname: search\ndescription: Searches.\ntoolsets:\n  - search-tools\nfiles:\n  - path: tips.md\n    description: Tips\n---\n\n# Search\n',
  'skills/search/tips.md': 'Tip.',
  'skills/search/secret.md': 'Not for the model.',
  'skills/analysis/SKILL.md': '# Analysis\n\nAnalyse.\n',
  'skills/analysis/schema.json':
    '{"name":"analysis","description":"Analyses.","toolsets":["plot-tools"]}',
  'skills/drafts/draft/SKILL.md': '---\nname: draft\ndescription: D.\n---\n',
  'toolsets/search-tools/TOOLSET.md':
    '---\nname: search-tools\ndescription: Searches.\ntools: [basicSearch]\n---\n\nUse it.\n',
  'toolsets/search-tools/basicSearch.md':
    '---\nname: basicSearch\ndescription: Searches simply.\n---\n\n# basicSearch\n',
  'toolsets/search-tools/notes.md': 'Notes of ours.',
  'toolsets/plot-tools/TOOLSET.md': 'Plot.',
  'toolsets/plot-tools/schema.json':
    '{"name":"plot-tools","description":"Plots.","tools":["plot"]}',
  'tools/charts/plot/TOOL.md': '---\nname: plot\ndescription: Plots.\n---\n',
  'tools/charts/plot/schema.json':
    '{"category":"utility","parameters":{"type":"object","properties":{"rows":{"type":"array"}}}}',
  'node_modules/x/SKILL.md': '---\nname: x\ndescription: D.\n---\n',
  'other/y/SKILL.md': '---\nname: y\ndescription: D.\n---\n',
}

test('a Carnet project gives its agents, skills, toolsets, tools and variables', async () => {
  const root = await temporaryFolder(PROJECT)
  const loaded = await loadCarnet(root)
  expect(loaded.agents).toMatchObject([
    { name: 'researcher', initialSkills: ['search'], skills: ['analysis'] },
  ])
  expect(loaded.skills).toMatchObject([
    { name: 'analysis', description: 'Analyses.', toolsets: ['plot-tools'], files: [] },
    {
      name: 'search',
      instructions: '# Search',
      toolsets: ['search-tools'],
      files: [{ path: 'tips.md', description: 'Tips' }],
    },
  ])
  expect(loaded.toolsets).toMatchObject([
    { name: 'plot-tools', tools: ['plot'], instructions: 'Plot.' },
    { name: 'search-tools', tools: ['basicSearch'], instructions: 'Use it.' },
  ])
  expect(loaded.tools.map(({ name, category, documentation }) => [name, category, documentation]))
    .toMatchInlineSnapshot(`
    [
      [
        "plot",
        "utility",
        undefined,
      ],
      [
        "basicSearch",
        "action",
        "# basicSearch",
      ],
    ]
  `)
  expect({ ...loaded.variables }).toEqual({ COMPANY: 'Acme', QUERY: 'a=b' })
  expect(loaded.config).toMatchObject({ output: './dist', envPrefix: ['LOADOUT_TEST_'] })
  expect(
    loaded.diagnostics
      .filter(({ severity }) => severity !== 'info')
      .map(({ severity, code, file = '' }) => `${severity} ${code} ${relative(root, file)}`),
  ).toEqual([])
  expect(loaded.diagnostics.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['carnet-excluded', 'toolset-file-ignored']),
  )
  expect(loaded.items.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'agent researcher',
    'skill analysis',
    'skill search',
    'tool plot',
    'toolset plot-tools',
    'toolset search-tools',
    'tool basicSearch',
  ])
})

test('names and fields that only Carnet allows are no finding in a Carnet project', async () => {
  const tree = { 'skills/webSearch/SKILL.md': SKILL }
  const root = await temporaryFolder(tree)
  expect((await loadCarnet(root)).diagnostics).toEqual([])
  expect((await loadSkills(root)).diagnostics.map(({ code }) => code)).toEqual([
    'name-invalid',
    'field-not-portable',
  ])
})

test('a toolset whose name cannot be used is found under the one it goes by', async () => {
  const root = await temporaryFolder({
    'skills/webSearch/SKILL.md': SKILL.replace('[]', '[search tools]'),
    'toolsets/search/TOOLSET.md': '---\nname: search tools\ndescription: S.\ntools: [x]\n---\n',
  })
  const { skills, toolsets, diagnostics } = await loadCarnet(root)
  expect(skills).toMatchObject([{ toolsets: ['search-tools'] }])
  expect(toolsets).toMatchObject([{ name: 'search-tools' }])
  expect(diagnostics.map(({ code }) => code)).toEqual(['name-invalid'])
})

test('an agent without skills may load none; elsewhere than in a Carnet project, all', async () => {
  const text = '---\nname: a\ndescription: D.\n---\n'
  const root = await temporaryFolder({ 'agents/a/AGENT.md': text })
  expect((await loadSkills(root)).agents).toMatchObject([{ name: 'a', skills: '*' }])
  expect((await loadCarnet(root)).agents).toMatchObject([{ name: 'a', skills: [] }])
})

test('a manifest is read in place of what it was built from, by its path or alone in its folder', async () => {
  const source = await temporaryFolder(PROJECT)
  const { catalog } = await openProject([source], { home: null, trusted: false })
  const folder = await temporaryFolder()
  const written = await writeCarnetManifest(catalog, folder)
  expect(written).toEqual({ files: [join(folder, 'carnet.manifest.json')], diagnostics: [] })
  const [byFolder, byFile, first] = await Promise.all([
    loadCarnet(folder),
    loadSkills(join(folder, 'carnet.manifest.json')),
    loadCarnet(source),
  ])
  const hashes = (list: readonly { readonly name: string; readonly hash: string }[]) =>
    list.map(({ name, hash }) => `${name} ${hash}`).sort()
  for (const loaded of [byFolder, byFile]) {
    expect(loaded.diagnostics).toEqual([])
    expect(hashes(loaded.skills)).toEqual(hashes(first.skills))
    expect(hashes(loaded.agents)).toEqual(hashes(first.agents))
    expect(hashes(loaded.toolsets)).toEqual(hashes(first.toolsets))
    expect(loaded.tools.map(({ name }) => name)).toEqual(['basicSearch', 'plot'])
    expect(await loaded.skills.find(({ name }) => name === 'search')?.readFile?.('tips.md')).toBe(
      'Tip.',
    )
  }
})

test('the same project gives the same bytes of a manifest, wherever it lies', async () => {
  const texts = await Promise.all(
    [0, 1].map(async () => {
      const root = await temporaryFolder(PROJECT)
      const { catalog } = await openProject([root], { home: null, trusted: false })
      const out = await temporaryFolder()
      await writeCarnetManifest(catalog, out)
      return readFile(join(out, 'carnet.manifest.json'), 'utf8')
    }),
  )
  expect(texts[1]).toBe(texts[0])
  expect(texts[0]).not.toContain('loadout-')
})

test('a project opens on its carnet folder, and sessions on its agents', async () => {
  const tree = Object.entries(PROJECT).map(([path, text]) => [`carnet/${path}`, text] as const)
  const project = await temporaryFolder(Object.fromEntries(tree))
  const opened = await openProject([], { project, home: null, trusted: true })
  expect(opened.roots).toEqual([join(project, 'carnet')])
  expect(opened.config.environment).toEqual({ names: [], prefix: ['LOADOUT_TEST_'] })
  const workspace = await VirtualWorkspace.open({
    catalog: opened.catalog,
    agent: 'researcher',
    session: 's',
    variables: opened.config.variables,
  })
  const { instructions } = await workspace.prompt()
  expect(instructions).toContain('# At Acme: a=b {{ LOADOUT_TEST_KEY }}')
  await workspace.close()
})

test('environment variables are asked for by trusted folders only', async () => {
  const root = await temporaryFolder(PROJECT)
  const { config, diagnostics } = await openProject([root], { home: null, trusted: false })
  expect(config.environment).toEqual({ names: [] })
  expect(diagnostics).toContainEqual(
    expect.objectContaining({
      code: 'environment-untrusted',
      file: join(root, 'carnet.config.json'),
    }),
  )
})

test('a skill whose toolset has no code is warned of, and both are named', async () => {
  const root = await temporaryFolder({
    ...PROJECT,
    'tools/charts/plot/handler.js': 'export const execute = () => 1\n',
  })
  const { diagnostics } = await openProject([root], { home: null, trusted: true })
  expect(
    diagnostics.filter(({ code }) => code === 'toolset-without-code').map(({ message }) => message),
  ).toEqual([
    'The skill "search" uses the toolset "search-tools", and no code is registered for its tools, so they cannot be called.',
  ])
})

test('a manifest that a link leads out to is not read', async () => {
  const outside = await temporaryFolder({ 'm.json': '{"version":1}' })
  const root = await temporaryFolder()
  await symlink(join(outside, 'm.json'), join(root, 'carnet.manifest.json'))
  expect((await loadCarnet(root)).diagnostics).toMatchObject([{ code: 'link-outside' }])
})

test('a TOOLSET.md may describe its tools itself, as in Carnet 0.3.1', async () => {
  const root = await temporaryFolder({
    'carnet.config.json': '{}',
    'toolsets/web/TOOLSET.md':
      '---\nname: web\ndescription: W.\ntools:\n  - name: fetch\n    description: Fetches a page.\n  - name: find\n    description: Finds.\n  - name: lost\n---\nUse it.\n',
    'toolsets/web/find.md': '---\nname: find\ndescription: Finds pages.\n---\nMore.\n',
  })
  const { toolsets, tools, diagnostics } = await loadSkills(root)
  expect(toolsets.map((one) => one.tools)).toEqual([['fetch', 'find']])
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['fetch', 'Fetches a page.'],
    ['find', 'Finds pages.'],
  ])
  expect(diagnostics.map(({ code }) => code)).toEqual(['field-kind'])
})
