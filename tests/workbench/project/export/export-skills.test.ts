import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { mcpServer } from '../../../../src/connections/mcp/client/mcp-server.ts'
import { exportSkills } from '../../../../src/workbench/project/export/export-skills.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { createCatalog } from '../../../../src/catalog/create/create-catalog.ts'
import { catalogFromManifest } from '../../../../src/catalog/manifest/catalog-from-manifest.ts'
import { defineTool } from '../../../../src/tools/define-tool.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { checkSpecification } from '../../../../src/skills/parse/check-specification.ts'
import { manifestOf, readBack } from '../../../catalog/manifest/a-manifest.ts'
import { skillText, temporaryFolder, toolTree, type Tree } from '../temporary-folder.ts'

async function exported(tree: Tree) {
  const root = await temporaryFolder(tree)
  const to = join(await temporaryFolder(), 'out')
  const project = await openProject([root], { home: null, trusted: true })
  const { files, diagnostics } = await exportSkills(project.catalog, project.handlers, to)
  return {
    to,
    root,
    before: project.catalog,
    after: await openProject([to], { home: null, trusted: true }),
    files: files.map((file) => relative(to, file)),
    told: diagnostics.map(({ message }) => message),
    codes: diagnostics.map(({ code }) => code),
  }
}

const TOOLSETS =
  '---\nname: web\ndescription: The web.\ntools: fetch search@^1\n---\nFetch before you search.\n'

test('a skill that is portable is copied byte for byte, with its files, tools and their code', async () => {
  const text = `---\n# a comment\nname: alpha\ndescription: "Does alpha."\n---\n\n# alpha\n`
  const { to, files, told, before, after } = await exported({
    'skills/alpha/SKILL.md': text,
    'skills/alpha/scripts/run.sh': 'echo hi\n',
    'skills/alpha/picture.png': Uint8Array.from([0x89, 0, 255]),
    ...toolTree('skills/alpha/tools/echo'),
    'skills/alpha/lib/shared.js': 'export const one = 1\n',
  })
  expect(told).toEqual([])
  expect(files).toEqual([
    'alpha/SKILL.md',
    'alpha/lib/shared.js',
    'alpha/picture.png',
    'alpha/scripts/run.sh',
    'alpha/tools/echo/doc_summary.md',
    'alpha/tools/echo/handler.js',
    'alpha/tools/echo/schema.json',
  ])
  expect(await readFile(join(to, 'alpha/SKILL.md'), 'utf8')).toBe(text)
  expect([...(await readFile(join(to, 'alpha/picture.png')))]).toEqual([0x89, 0, 255])
  expect(after.catalog.skills.get('alpha')).toMatchObject({
    instructions: before.skills.get('alpha')?.instructions,
    files: before.skills.get('alpha')?.files,
  })
  expect(after.catalog.skillTools.get('alpha')?.map(({ tool }) => tool.hash)).toEqual(
    before.skillTools.get('alpha')?.map(({ tool }) => tool.hash),
  )
})

test('shared tools and those of toolsets become tools of each skill, and what is lost is reported', async () => {
  const { to, told, codes, before, after } = await exported({
    'skills/alpha/SKILL.md': skillText(
      'alpha',
      'color: red\nmetadata:\n  loadout.toolsets: web gone\n  loadout.phrases: go, fetch it\n  loadout.lifetime: 3 turns\n  author: Ada\n',
    ),
    'skills/beta/SKILL.md': skillText(
      'beta',
      'metadata:\n  loadout.tools: fetch\n  loadout.extends: alpha\n',
    ),
    'toolsets/web/TOOLSET.md': TOOLSETS,
    ...toolTree('tools/fetch'),
    ...toolTree('tools/search'),
    'tools/search/handler.js':
      "import { x } from '../fetch/x.js'\nexport const execute = () => x\n",
    ...toolTree('tools/nobody'),
    'agents/some/AGENT.md': '---\nname: some\ndescription: D.\n---\nYou are some.',
    'rules/web.md': 'Be polite.\n',
  })
  expect(new Set(codes)).toEqual(
    new Set(['export-reaches-out', 'export-changed', 'export-left-out']),
  )
  expect(told).toEqual([
    'The code of the tool "search" imports "../fetch/x.js", which is not in the export.',
    expect.stringMatching(/^The SKILL.md of "alpha" was rewritten. .*"color"/),
    `The tools of the toolset "web" became tools of the skill "alpha"; the toolset's instructions are not in the folder.`,
    'The toolset "gone" of the skill "alpha" does not exist and was removed from the skill.',
    'The agent "some" belongs to no skill and was left out.',
    'The shared tool "nobody" belongs to no skill and was left out.',
    'The set of rules "web" belongs to no skill and was left out.',
  ])
  expect(await readFile(join(to, 'alpha/SKILL.md'), 'utf8')).toMatchInlineSnapshot(`
    "---
    name: alpha
    description: Does alpha.
    metadata:
      author: Ada
      loadout.lifetime: 3 turns
      loadout.phrases: go, fetch it
    ---

    # alpha
    "
  `)
  const names = (catalog: typeof before, skill: string) =>
    catalog.skillTools
      .get(skill)
      ?.map(({ tool }) => `${tool.name} ${tool.hash}`)
      .sort()
  for (const skill of ['alpha', 'beta']) {
    expect(names(after.catalog, skill)).toEqual(names(before, skill))
    const path = join(to, skill, 'SKILL.md')
    const text = await readFile(path, 'utf8')
    expect(checkSpecification({ text, file: path, folder: skill })).toEqual([])
  }
  expect(after.catalog.skills.get('alpha')).toMatchObject({
    triggers: ['go', 'fetch it'],
    lifetime: { turns: 3 },
    metadata: { author: 'Ada' },
  })
})

test('skills and tools that are code are written without it', async () => {
  const tool = defineTool({
    name: 'pay',
    description: 'Pays.',
    category: 'action',
    risk: 'destructive',
    background: true,
    strict: true,
    inputExamples: [{ input: { sum: 7 } }],
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    inputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    documentation: 'All of it.',
    execute: () => 'paid',
  })
  const skill = defineSkill({
    name: 'shop',
    description: 'Sells: things.',
    instructions: 'Sell.',
    tools: [tool],
    triggers: ['buy this, please'],
    files: [{ path: 'a/b.md', text: 'B', description: 'About b' }],
    onActivate: () => {},
  })
  const to = await temporaryFolder()
  const catalog = await createCatalog({ skills: [skill] })
  const { diagnostics } = await exportSkills(catalog, [], to)
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'The tool "pay" of the skill "shop" is code: its definition was written without a handler.',
    'The phrase "buy this, please" of the skill "shop" lost its commas, which separate phrases.',
    'The description of the file "a/b.md" of the skill "shop" is not in the folder.',
    'The hooks of the skill "shop" are code and are not in the folder.',
  ])
  expect(diagnostics[0]?.code).toBe('export-code-missing')
  const after = (await openProject([to], { home: null })).catalog
  expect(after.skillTools.get('shop')?.[0]?.tool.hash).toBe(tool.hash)
  expect(after.skills.get('shop')).toMatchObject({
    description: 'Sells: things.',
    triggers: ['buy this please'],
  })
  expect(await after.skills.get('shop')?.readFile?.('a/b.md')).toBe('B')
})

test('the servers next to a skill are copied; those of toolsets and of code are reported', async () => {
  const servers = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: 'node' } } })
  const { files, told, after } = await exported({
    'skills/alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.toolsets: web\n'),
    'skills/alpha/.mcp.json': servers('own'),
    'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: The web.\ntools: []\n---\n',
    'toolsets/web/.mcp.json': servers('shared'),
  })
  expect(files).toEqual(['alpha/.mcp.json', 'alpha/SKILL.md'])
  expect(after.catalog.skills.get('alpha')?.servers).toEqual(['own'])
  expect(told).toContain('The server "shared" of the skill "alpha" is not in the folder.')
  const catalog = await createCatalog({
    skills: [defineSkill({ name: 'b', description: 'd', servers: ['own'] })],
    servers: [mcpServer({ name: 'own', command: 'node' })],
  })
  const { diagnostics } = await exportSkills(catalog, [], await temporaryFolder())
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'The server "own" of the skill "b" is not in the folder.',
  ])
})

test('what no client would accept is reported, and written nevertheless', async () => {
  const { told, codes, files } = await exported({
    'skills/Under_Score/SKILL.md': skillText('Under_Score'),
  })
  expect(codes).toContain('export-not-portable')
  expect(told.join('\n')).toContain('The skill "Under_Score": ')
  expect(files).toEqual(['Under_Score/SKILL.md'])
})

test('nothing is overwritten', async () => {
  const root = await temporaryFolder({ 'skills/alpha/SKILL.md': skillText('alpha') })
  const to = await temporaryFolder({ 'alpha/SKILL.md': 'mine' })
  const { catalog, handlers } = await openProject([root], { home: null })
  await expect(exportSkills(catalog, handlers, to)).rejects.toMatchObject({ code: 'FILES_EXIST' })
  expect(await readFile(join(to, 'alpha/SKILL.md'), 'utf8')).toBe('mine')
})

test('a skill whose name is not safe as a folder on every system is left out, and named', async () => {
  const names = [
    '.git',
    'node_modules',
    'CON',
    'aux.v1',
    'lpt²',
    '-rf',
    '.hidden',
    'dot.',
    'Post',
    'post',
    'ok',
  ]
  const skills = names.map((name) => defineSkill({ name, description: 'A.', instructions: 'B.' }))
  const to = join(await temporaryFolder(), 'out')
  const { files, diagnostics } = await exportSkills(await createCatalog({ skills }), [], to)
  expect(files.map((file) => relative(to, file))).toEqual(['Post/SKILL.md', 'ok/SKILL.md'])
  const left = diagnostics.filter(({ code }) => code === 'export-left-out')
  expect(left.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "The skill "-rf" was left out: a folder cannot have its name, because it begins with a dot or a hyphen.",
      "The skill ".git" was left out: a folder cannot have its name, because folders of this name are never read.",
      "The skill ".hidden" was left out: a folder cannot have its name, because it begins with a dot or a hyphen.",
      "The skill "CON" was left out: a folder cannot have its name, because it is the name of a device on Windows.",
      "The skill "aux.v1" was left out: a folder cannot have its name, because it is the name of a device on Windows.",
      "The skill "dot." was left out: a folder cannot have its name, because it ends with a dot, which Windows removes.",
      "The skill "lpt²" was left out: a folder cannot have its name, because it is the name of a device on Windows.",
      "The skill "node_modules" was left out: a folder cannot have its name, because folders of this name are never read.",
      "The skill "post" was left out: a folder cannot have its name, because on some systems it is the same name as "Post".",
    ]
  `)
})

test('what a skill says about facts is the same after an export, and in a manifest', async () => {
  const root = await temporaryFolder()
  const skill = defineSkill({
    name: 'facts',
    description: 'For facts.',
    paths: ['src/**/*.{ts,tsx}', 'docs/**'],
    when: {
      paths: ['*.{json,yaml}', 'a b/*'],
      calls: [{ tool: 'run_tests', status: 'error' }, { tool: 'build' }],
      mode: ['voice'],
      principal: ['ada'],
      event: ['outage', 'release'],
    },
  })
  const catalog = await createCatalog({ skills: [skill] })
  await exportSkills(catalog, [], join(root, 'out'))
  const { catalog: read } = await openProject([join(root, 'out')], { home: null })
  const { paths, when } = skill
  expect(read.skills.get('facts')).toMatchObject({ paths, when })
  const stored = await catalogFromManifest(readBack(manifestOf(catalog)))
  expect(stored.conditional).toEqual(new Map([['facts', { paths, when }]]))
  expect(stored.skills.get('facts')?.hash).toBe(skill.hash)
})
