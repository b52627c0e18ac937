import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { skillText, toolTree, type Tree } from '../workbench/project/temporary-folder.ts'
import { installed } from './installed.ts'

const oneFileTool = (name: string) => `
  import { defineTool } from 'loadout'
  export default defineTool({
    name: '${name}', description: 'Finds an order.', inputSchema: { type: 'object' }, execute: () => 'found',
  })
`

/** A project of a user, which has one of the default places of skills and a Carnet project. */
const SHOP: Tree = {
  '.claude/skills/fix-issue/SKILL.md': `${skillText('fix-issue')}\nFix issue $0.\n`,
  '.claude/skills/broken/SKILL.md': '---\nname: [\n---\n',
  'skills/refunds/SKILL.md': skillText('refunds'),
  ...toolTree('skills/refunds/tools/refund'),
  'tools/find_order.js': oneFileTool('find_order'),
  'agent/carnet.config.json': '{}',
  'agent/skills/returns/SKILL.md': skillText('returns'),
  ...toolTree('agent/tools/give_back'),
  'agent/tools/weigh.js': oneFileTool('weigh'),
  'agent/agents/clerk/AGENT.md': '---\nname: clerk\ndescription: Helps.\n---\nHelp.\n',
  '.claude/commands/ship.md': 'Ship it.\n',
  '.mcp.json': '{ "mcpServers": { "tickets": { "command": "node", "args": ["tickets.mjs"] } } }',
}

/** Prints what a catalog has: skills, tools that can be called, tools that cannot, and codes of findings. */
const SHOW = `
  import { createCatalog, VirtualWorkspace } from 'loadout'
  const show = async (catalog) => {
    const tools = [...catalog.toolsByHash.values()]
    const named = (bound) => tools.filter((one) => (one.execute !== undefined) === bound).map(({ name }) => name).sort()
    await (await VirtualWorkspace.open({ catalog })).close()
    return {
      skills: [...catalog.skills.keys()].sort(),
      callable: named(true),
      unbound: named(false),
      findings: catalog.diagnostics.filter(({ severity }) => severity !== 'info').map(({ code }) => code).sort(),
    }
  }
`

test('what each loader returns makes a catalog, bound or not, and no finding is lost', async () => {
  const { node } = await installed([], {
    ...SHOP,
    'joins.mjs': `${SHOW}
      import { bindHandlers, exportCarnet, exportSkills, loadCarnet, loadSkills } from 'loadout/node'
      const loaders = {
        'loadSkills()': () => loadSkills(),
        'loadSkills(path)': () => loadSkills('skills'),
        'loadSkills(paths)': () => loadSkills(['.claude/skills', 'skills']),
        'loadCarnet(path)': () => loadCarnet('agent'),
      }
      const binders = {
        '': (loaded) => loaded,
        ', trusted': (loaded) => bindHandlers(loaded, { trusted: true }),
        ', not trusted': (loaded) => bindHandlers(loaded, { trusted: false }),
      }
      const shown = {}
      for (const [loader, load] of Object.entries(loaders)) {
        for (const [binder, bind] of Object.entries(binders)) {
          const loaded = await bind(await load())
          const catalog = await createCatalog(loaded)
          const name = loader + binder
          await exportSkills(catalog, loaded.handlers, 'out/skills ' + name)
          await exportCarnet(catalog, 'out/carnet ' + name)
          const more = await createCatalog({ ...loaded, tools: [...loaded.tools], strict: false })
          if (more.hash !== catalog.hash) throw new Error(name)
          shown[name] = await show(catalog)
        }
      }
      console.log(JSON.stringify(shown))
    `,
  })
  const { code, stdout, stderr } = await node('joins.mjs')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const here = { skills: ['fix-issue', 'refunds'], callable: [], unbound: ['refund'] }
  const all = { ...here, callable: ['find_order', 'refund'], unbound: [] }
  const run = { callable: ['refund'], unbound: [] }
  const one = { skills: ['refunds'], callable: [], unbound: ['refund'], findings: [] }
  const carnet = { skills: ['returns'], callable: [], unbound: ['give_back'] }
  expect(JSON.parse(stdout)).toEqual({
    'loadSkills()': { ...here, findings: ['tool-untrusted', 'yaml-invalid'] },
    'loadSkills(), trusted': { ...all, findings: ['yaml-invalid'] },
    'loadSkills(), not trusted': {
      ...here,
      findings: ['handler-untrusted', 'tool-untrusted', 'yaml-invalid'],
    },
    'loadSkills(path)': one,
    'loadSkills(path), trusted': { ...one, ...run },
    'loadSkills(path), not trusted': { ...one, findings: ['handler-untrusted'] },
    'loadSkills(paths)': { ...here, findings: ['yaml-invalid'] },
    'loadSkills(paths), trusted': { ...here, ...run, findings: ['yaml-invalid'] },
    'loadSkills(paths), not trusted': {
      ...here,
      findings: ['handler-untrusted', 'yaml-invalid'],
    },
    'loadCarnet(path)': { ...carnet, findings: ['tool-untrusted'] },
    'loadCarnet(path), trusted': {
      ...carnet,
      callable: ['give_back', 'weigh'],
      unbound: [],
      findings: [],
    },
    'loadCarnet(path), not trusted': {
      ...carnet,
      findings: ['handler-untrusted', 'tool-untrusted'],
    },
  })
})

/** Public names of `loadout/node` and `loadout/manifest` that neither return all definitions of a project nor take them. */
const OTHERS = [
  'LOCK_FORMAT',
  'SCHEMA_PROVIDERS',
  'SCRIPT_INTERPRETERS',
  'bindTool',
  'buildManifest',
  'carnetOutput',
  'changedSince',
  'countTexts',
  'defaultPaths',
  'defineConfig',
  'diffFields',
  'embedderFromUrl',
  'environmentVariables',
  'exportLines',
  'exportLog',
  'fileTools',
  'importLog',
  'importSession',
  'isBound',
  'isListedOnly',
  'keepSkills',
  'listingOf',
  'lockAdded',
  'lockText',
  'manifestTools',
  'openApprovals',
  'openEmbeddingFile',
  'openFencedSandbox',
  'openFolderSandbox',
  'openMemorySandbox',
  'openScriptRunner',
  'openTrustStore',
  'readLock',
  'readManifest',
  'repairJsonlLog',
  'replaceTools',
  'secretsFromEnvironment',
  'shellTool',
  'skillUri',
  'tokenDigest',
  'toolDefinition',
  'unifiedDiff',
]

test('every other function that returns definitions joins one that takes them', async () => {
  const program = `${SHOW}
    import { writeFile } from 'node:fs/promises'
    import {
      bindHandlers, buildProject, exportCarnet, exportSkills, importCarnet, importClaude, initProject, lintProject,
      loadCarnet, loadConfig, loadSkills, lockProject, openManifest, openProject, openSkillSwitches, readServers,
      watchProject, writeCarnetManifest,
    } from 'loadout/node'
    import {
      catalogFromManifest, diffCatalogs, lockDrift, manifestCounter, manifestText,
    } from 'loadout/manifest'
    const counter = { name: 'letters', count: (text) => text.length }
    const project = await openProject([], { trusted: true, switches: openSkillSwitches({ file: 'off.json' }) })
    const { manifest, missing } = await buildProject(['skills'], { counter })
    await writeFile('loadout.manifest.json', manifestText(manifest))
    const opened = await openManifest('loadout.manifest.json', { folder: 'skills', trusted: true, counter })
    const { config } = await loadConfig('.', { trusted: true })
    const { servers } = await readServers('.mcp.json')
    await exportSkills(project.catalog, project.handlers, 'out/skills')
    await exportCarnet(project.catalog, 'out/carnet')
    await writeCarnetManifest(project.catalog, 'out/built')
    await importCarnet('agent', 'out/from-carnet')
    await importClaude('.', 'out/from-claude')
    await initProject('out/new')
    const watch = await watchProject([], { trusted: true, known: project })
    const { project: read } = await watch.read()
    await watch.close()
    const read2 = await bindHandlers(await loadSkills(), { trusted: true })
    const same = await createCatalog({ ...read2, diagnostics: [] })
    const report = await lintProject()
    const lock = () => lockProject(project, '.')
    console.log(JSON.stringify({
      project: await show(project.catalog),
      read: await show(read.catalog),
      opened: await show(opened.catalog),
      parsed: await show(await catalogFromManifest(manifest)),
      servers: [...(await createCatalog({ servers: servers.map(({ server }) => server) })).servers.keys()],
      skills: await show(await createCatalog(await loadSkills('out/skills'))),
      carnet: await show(await createCatalog(await loadCarnet('out/carnet'))),
      built: await show(await createCatalog(await loadCarnet('out/built/carnet.manifest.json'))),
      ours: await show((await openProject(['out/from-carnet'])).catalog),
      claude: await show((await openProject(['out/from-claude'])).catalog),
      new: await show((await openProject(['out/new'], { trusted: true })).catalog),
      rest: [
        missing, diffCatalogs(project.catalog, same), lockDrift(await lock(), await lock()),
        manifestCounter(manifest, counter).name, report.checked, config.skills,
      ],
    }))
  `
  const { node } = await installed([], {
    ...SHOP,
    'joins.mjs': program,
    'names.mjs': `
      const entries = await Promise.all([import('loadout/node'), import('loadout/manifest')])
      console.log(JSON.stringify(entries.flatMap(Object.keys)))
    `,
  })
  const { stdout: names } = await node('names.mjs')
  const words = new Set(program.match(/\w+/g))
  const left = (JSON.parse(names) as string[]).filter((name) => !words.has(name))
  expect(left.sort()).toEqual(OTHERS)
  const { code, stdout, stderr } = await node('joins.mjs')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const both = { skills: ['fix-issue', 'refunds'], findings: [] }
  const opened = { callable: ['find_order', 'refund'], unbound: [] }
  const written = { callable: [], unbound: ['find_order', 'refund'] }
  const one = { skills: ['refunds'], findings: [] }
  expect(JSON.parse(stdout)).toEqual({
    project: { ...both, ...opened, findings: ['yaml-invalid'] },
    read: { ...both, ...opened, findings: ['yaml-invalid'] },
    opened: { ...one, callable: ['refund'], unbound: [] },
    parsed: { ...one, callable: [], unbound: ['refund'] },
    servers: ['tickets'],
    skills: { ...both, callable: [], unbound: ['refund'] },
    carnet: { ...both, ...written },
    built: { ...both, ...written },
    ours: {
      skills: ['returns'],
      callable: [],
      unbound: ['give_back'],
      findings: ['handler-untrusted'],
    },
    claude: { skills: ['fix-issue', 'ship'], callable: [], unbound: [], findings: [] },
    new: { skills: ['text-length'], callable: ['measure_text'], unbound: [], findings: [] },
    rest: [[], [], [], 'letters', 5, []],
  })
})

/** Pages whose code loads definitions, with the names that earlier code of the page introduced. */
test.each([
  ['skills-you-have.md', ''],
  ['workspace.md', "import { VirtualWorkspace } from 'loadout'\n"],
  ['migrating-from-carnet.md', ''],
])('the code of docs/%s that loads definitions runs in a project', async (page, given) => {
  const text = await readFile(join(PROJECT, 'docs', page), 'utf8')
  const pieces = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .filter((code) => /\b(?:loadSkills|loadCarnet|openProject)\b/.test(code))
  expect(pieces.length).toBeGreaterThan(0)
  const sound = { '.claude/skills/broken/SKILL.md': skillText('broken'), 'tools/find_order.js': '' }
  const { node } = await installed([], { ...SHOP, ...sound })
  const check = `
    if (typeof workspace === 'object' && workspace.skills().length === 0) throw new Error('It has no skill.')
  `
  for (const piece of pieces) {
    const { code, stderr } = await node(
      '--input-type=module-typescript',
      '--eval',
      given + piece + check,
    )
    expect({ piece, code, stderr }).toEqual({ piece, code: 0, stderr: '' })
  }
})
