import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportSkills } from '../../../../src/workbench/project/export/export-skills.ts'
import { loadSkills } from '../../../../src/workbench/project/folders/load-skills.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { lockProject } from '../../../../src/workbench/project/lock/lock-project.ts'
import { buildProject } from '../../../../src/workbench/project/manifest/build-project.ts'
import { openManifest } from '../../../../src/workbench/project/manifest/open-manifest.ts'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'
import { lockDrift } from '../../../../src/catalog/lock.ts'
import { manifestText } from '../../../../src/catalog/manifest/manifest-text.ts'
import { VirtualWorkspace } from '../../../../src/workspace/virtual-workspace.ts'
import { codesIn, lintFolder } from '../lint/lint-tree.ts'
import { skillText, temporaryFolder, type Tree, writeTree } from '../temporary-folder.ts'

/** A file that defines one tool, with a rule that JSON Schema cannot express. */
const toolFile = (name: string, more = '') => `
  import { defineTool } from 'loadout'
  import { z } from 'zod'
  globalThis.toolsThatRan = [...(globalThis.toolsThatRan ?? []), '${name}']
  export default defineTool({
    name: '${name}',
    description: 'Pays an order back.',
    inputSchema: z.object({ order: z.string().refine((id) => id !== 'none', 'is no order') }),
    execute: ({ order }) => \`\${order} is paid back\`,
    ${more}
  })
`

const TREE: Tree = {
  'skills/refunds/SKILL.md': skillText('refunds', 'metadata:\n  loadout.topic: money\n'),
  'skills/refunds/tools/refund.ts': toolFile('refund'),
  'tools/find_order.js': toolFile('find_order'),
}

const open = (folder: string, trusted: boolean) =>
  openProject([folder], { home: null, project: folder, trusted })

const toolNames = ({ catalog }: Awaited<ReturnType<typeof open>>) => ({
  skill: catalog.skillTools.get('refunds')?.map(({ tool }) => tool.name),
  shared: catalog.globalTools.map(({ name }) => name),
})

test('a tool is one file, of a skill or shared, and is checked by its own schema', async () => {
  const project = await open(await temporaryFolder(TREE), true)
  expect(project.diagnostics).toEqual([])
  expect(toolNames(project)).toEqual({ skill: ['refund'], shared: ['find_order'] })
  expect(project.catalog.skillTools.get('refunds')?.[0]?.tool.topic).toBe('money')
  const workspace = await VirtualWorkspace.open({ catalog: project.catalog })
  await workspace.activateSkill('refunds')
  expect(await workspace.callTool('refund', { order: '7' })).toMatchObject({
    data: '7 is paid back',
  })
  expect(await workspace.callTool('refund', { order: 'none' })).toMatchObject({
    error: { type: 'VALIDATION' },
  })
  expect(await workspace.callTool('find_order', { order: '7' })).toMatchObject({ ok: true })
})

test('without trust its code is not run, and the finding says that the tool is unknown', async () => {
  const folder = await temporaryFolder({
    ...TREE,
    'tools/find_order.js': toolFile('never'),
  })
  const project = await open(folder, false)
  expect(toolNames(project)).toEqual({ skill: [], shared: [] })
  expect(Reflect.get(globalThis, 'toolsThatRan') ?? []).not.toContain('never')
  expect(project.items.filter(({ kind }) => kind === 'tool')).toEqual([
    { kind: 'tool', path: join(folder, 'skills/refunds/tools/refund.ts'), name: null },
    { kind: 'tool', path: join(folder, 'tools/find_order.js'), name: null },
  ])
  expect(project.diagnostics.map(({ code, file }) => [code, file])).toEqual([
    ['tool-untrusted', join(folder, 'skills/refunds/tools/refund.ts')],
    ['tool-untrusted', join(folder, 'tools/find_order.js')],
  ])
  expect(project.diagnostics[0]).toMatchObject({
    severity: 'warning',
    message: 'The tool in "refund.ts" is unknown: code defines it, and its folder is not trusted.',
    hint: expect.stringContaining(`loadout trust "${folder}"`),
  })
  const lint = await lintFolder(folder)
  expect(lint.ok).toBe(true)
  expect(codesIn(lint)).toEqual(expect.arrayContaining(['tool-untrusted', 'tool-untrusted']))
})

test('other code in a folder of tools is a file of the skill, and is not run', async () => {
  const folder = await temporaryFolder({
    ...TREE,
    'skills/refunds/tools/cleanup.js': 'throw new Error("ran")',
    'skills/refunds/tools/refund.test.ts': toolFile('refund'),
    'skills/refunds/lib/shared.ts': 'export const shared = 1',
  })
  const { skills } = await loadSkills(folder)
  expect(skills[0]?.files.map(({ path }) => path)).toEqual([
    'tools/cleanup.js',
    'tools/refund.test.ts',
  ])
  const { diagnostics } = await open(folder, true)
  expect(diagnostics).toEqual([])
})

test.each([
  {
    fault: 'throws',
    text: `import { defineTool } from 'loadout'; throw new Error('on import')`,
    code: 'tool-failed',
    says: 'on import',
  },
  {
    fault: 'exports none',
    text: `import { defineTool } from 'loadout'; export const execute = () => 1`,
    code: 'tool-export',
    says: 'exports no tool',
  },
  {
    fault: 'exports two',
    text: toolFile('refund').replace(
      'export default',
      `export const a = defineTool({ name: 'a', description: 'A.', inputSchema: z.object({}) })
      export default`,
    ),
    code: 'tool-export',
    says: 'exports several tools',
  },
  {
    fault: 'is wrong',
    text: toolFile('refund', 'parameters: {},'),
    code: 'tool-failed',
    says: 'Did you mean "inputSchema"?',
  },
  {
    fault: 'has another name',
    text: toolFile('pay_back'),
    code: 'name-mismatch',
    says: 'named "pay_back" but its file is "refund.ts"',
  },
  {
    fault: 'has no handler',
    text: toolFile('refund').replace(/execute: .*,/, ''),
    code: 'handler-missing',
    says: 'has no handler',
  },
])('a file that $fault is one finding, and other tools are not affected', async (row) => {
  const folder = await temporaryFolder({ ...TREE, 'skills/refunds/tools/refund.ts': row.text })
  const project = await open(folder, true)
  const file = join(folder, 'skills/refunds/tools/refund.ts')
  expect(project.diagnostics).toMatchObject([{ code: row.code, file }])
  const { message, hint } = project.diagnostics[0] ?? {}
  expect(`${message} ${hint}`).toContain(row.says)
  expect(toolNames(project).shared).toEqual(['find_order'])
})

test('trust covers the file: when it changes, its tool is unknown again', async () => {
  const folder = await temporaryFolder(TREE)
  const trustStore = openTrustStore({ file: join(await temporaryFolder(), 'trust.json') })
  await trustStore.trust(folder)
  const asUser = () => openProject([folder], { home: null, project: folder, trustStore })
  expect(toolNames(await asUser()).skill).toEqual(['refund'])
  await writeTree(folder, {
    'skills/refunds/tools/refund.ts': toolFile('refund', 'version: "2.0.0",'),
  })
  const changed = await asUser()
  expect(toolNames(changed)).toEqual({ skill: [], shared: [] })
  expect(changed.diagnostics.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['trust-changed', 'tool-untrusted']),
  )
})

test('a lock has its file, whether or not its code may run', async () => {
  const folder = await temporaryFolder(TREE)
  const locked = async (trusted: boolean) => lockProject(await open(folder, trusted), folder)
  const { skills, files } = await locked(false)
  const digests = [...skills.flatMap(({ resources }) => resources), ...files]
  expect(digests.map((one) => ('uri' in one ? one.uri : one.path))).toEqual([
    'skill://skills/refunds/SKILL.md',
    'skill://skills/refunds/tools/refund.ts',
    'tools/find_order.js',
  ])
  const before = await locked(true)
  await writeTree(folder, { 'tools/find_order.js': toolFile('find_order', 'version: "2.0.0",') })
  expect(lockDrift(before, await locked(true))).toMatchObject([{ file: 'tools/find_order.js' }])
})

const counter = { name: 'letters', count: (text: string) => text.length }

test('a manifest lacks a tool whose code may not run, and says so', async () => {
  const folder = await temporaryFolder(TREE)
  const { missing, manifest } = await buildProject([folder], { counter, trusted: false })
  expect(missing.map(({ code }) => code)).toEqual(['tool-untrusted', 'tool-untrusted'])
  expect(manifest.skills[0]?.tools).toEqual([])
})

test('a manifest has the tool, and its file is run at the first call', async () => {
  const folder = await temporaryFolder(TREE)
  const { missing, manifest } = await buildProject([folder], { counter, trusted: true })
  expect(missing).toEqual([])
  expect(manifest.skills[0]?.tools).toMatchObject([
    { name: 'refund', topic: 'money', handler: 'skills/refunds/tools/refund.ts' },
  ])
  await writeTree(folder, { 'loadout.manifest.json': manifestText(manifest) })
  const call = async () => {
    const file = join(folder, 'loadout.manifest.json')
    const { catalog } = await openManifest(file, { folder, counter, trusted: true })
    const workspace = await VirtualWorkspace.open({ catalog })
    await workspace.activateSkill('refunds')
    return workspace.callTool('refund', { order: '7' })
  }
  expect(await call()).toMatchObject({ data: '7 is paid back' })
  await writeTree(folder, {
    'skills/refunds/tools/refund.ts': toolFile('refund', 'version: "2.0.0",'),
  })
  expect(await call()).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('another tool than the one that was built') },
  })
})

test('an exported skill has its one file, and that of a shared tool it uses', async () => {
  const folder = await temporaryFolder({
    ...TREE,
    'skills/refunds/SKILL.md': skillText('refunds', 'metadata:\n  loadout.tools: find_order\n'),
  })
  const { catalog, handlers } = await open(folder, true)
  const to = join(await temporaryFolder(), 'out')
  const { diagnostics } = await exportSkills(catalog, handlers, to)
  expect(diagnostics.filter(({ code }) => code === 'export-code-missing')).toEqual([])
  const again = await open(to, true)
  expect(toolNames(again).skill).toEqual(['find_order', 'refund'])
})

test('a tool that is a link out of its folder is reported, and not read', async () => {
  const folder = await temporaryFolder(TREE)
  await rm(join(folder, 'tools/find_order.js'))
  const elsewhere = await temporaryFolder({ 'find_order.js': toolFile('find_order') })
  await symlink(join(elsewhere, 'find_order.js'), join(folder, 'tools/find_order.js'))
  const project = await open(folder, true)
  expect(toolNames(project)).toEqual({ skill: ['refund'], shared: [] })
  expect(project.diagnostics).toMatchObject([{ file: join(folder, 'tools/find_order.js') }])
})
