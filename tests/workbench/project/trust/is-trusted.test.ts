import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Catalog, VirtualWorkspace } from '../../../../src/entries/index.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { buildProject } from '../../../../src/workbench/project/manifest/build-project.ts'
import { openManifest } from '../../../../src/workbench/project/manifest/open-manifest.ts'
import { manifestText } from '../../../../src/catalog/manifest/manifest-text.ts'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'
import { characters } from '../../../catalog/manifest/a-manifest.ts'
import { temporaryFolder, toolTree, type Tree, writeTree } from '../temporary-folder.ts'

const defined = (name: string) => `defineTool({ name: '${name}', description: 'Runs.',
  category: 'utility', inputSchema: { type: 'object' }, execute: () => 'ran' })`

/** A folder with a tool of each kind, and a file that all of them could read. */
const TREE: Tree = {
  ...toolTree('tools/in_folder', "export const execute = () => 'ran'\n"),
  'tools/in_file.js': `import { defineTool } from 'loadout'\nexport default ${defined('in_file')}\n`,
  'loadout.config.mjs': `import { defineTool } from 'loadout'\nexport default { tools: [${defined('in_config')}] }\n`,
  'lib/late.js': '1',
}

const TOOLS = ['in_folder', 'in_file', 'in_config']

async function trustedFolder(tree = TREE) {
  const home = await temporaryFolder()
  const folder = await temporaryFolder(tree)
  const trustStore = openTrustStore({ file: join(home, 'trust.json') })
  await trustStore.trust(folder)
  const read = async () =>
    (await openProject(folder, { trustStore, project: folder, home: null })).catalog
  return { folder, trustStore, read, home }
}

/** Calls each tool, and returns what it answered: its data, or the code of its refusal. */
async function callEach(workspace: VirtualWorkspace, tools = TOOLS) {
  const answers = tools.map(async (tool) => {
    const answer = await workspace.callTool(tool, {})
    return answer.ok ? answer.data : answer.error.type
  })
  return Promise.all(answers)
}

const RAN = TOOLS.map(() => 'ran')
const UNBOUND = TOOLS.map(() => 'UNBOUND')

async function opened(catalog: Catalog) {
  return VirtualWorkspace.open({ catalog })
}

test('a tool is unbound from the next call after a file of its folder changed, and bound when that is undone', async () => {
  const { folder, read } = await trustedFolder()
  const workspace = await opened(await read())
  const other = await opened(await read())
  expect(await callEach(workspace)).toEqual(RAN)
  await writeTree(folder, { 'lib/late.js': '2', 'lib/new.js': '' })
  expect(await callEach(workspace)).toEqual(UNBOUND)
  for (const tool of TOOLS) {
    expect(workspace.explain(tool)).toMatchObject({
      status: 'unbound',
      because: expect.arrayContaining([
        expect.objectContaining({
          text: 'A trusted folder has changed and its code was not run: lib/late.js, lib/new.js.',
        }),
      ]),
      fix: `Read what changed, then trust it again: loadout trust ${JSON.stringify(folder)}. A process that does not watch its files has to be started again.`,
    })
  }
  expect(workspace.getAvailableTools().map(({ name }) => name)).not.toContain('in_folder')
  expect(await callEach(other)).toEqual(UNBOUND)
  await writeTree(folder, { 'lib/late.js': '1' })
  expect(await callEach(workspace)).toEqual(UNBOUND)
  await rm(join(folder, 'lib/new.js'))
  expect(await callEach(workspace)).toEqual(RAN)
  expect(workspace.explain('in_folder').status).toBe('available')
})

test('a question about a call of a tool whose folder changed is not asked, and an approved call does not run', async () => {
  const tool = defined('in_file').replace("category: 'utility'", 'requiresConfirmation: true')
  const { folder, read } = await trustedFolder({
    'tools/in_file.js': `import { defineTool } from 'loadout'\nexport default ${tool}\n`,
  })
  const workspace = await opened(await read())
  expect(await workspace.approvals.asksAbout('in_file', {})).toBe(true)
  const answer = await workspace.callTool(
    'in_file',
    {},
    {
      caller: 'model',
      async approve() {
        await writeTree(folder, { 'late.js': '' })
        return true
      },
    },
  )
  expect(answer).toMatchObject({ ok: false, error: { type: 'UNBOUND' } })
  expect(await workspace.approvals.asksAbout('in_file', {})).toBe(false)
})

test('trust that is withdrawn while a process runs unbinds its tools, and the same trust binds them', async () => {
  const { folder, trustStore, read } = await trustedFolder()
  const workspace = await opened(await read())
  await trustStore.untrust(folder)
  expect(await callEach(workspace)).toEqual(UNBOUND)
  expect(JSON.stringify(workspace.explain('in_file'))).toContain('is no longer trusted')
  await trustStore.trust(folder)
  expect(await callEach(workspace)).toEqual(RAN)
})

test('trust in other files than were loaded binds tools when they are read again', async () => {
  const { folder, trustStore, read } = await trustedFolder()
  const workspace = await opened(await read())
  await writeTree(folder, { 'tools/in_folder/handler.js': "export const execute = () => 'new'\n" })
  await trustStore.trust(folder)
  expect(await callEach(workspace)).toEqual(UNBOUND)
  expect(JSON.stringify(workspace.explain('in_folder'))).toContain(
    'was trusted again with other files than this process has loaded',
  )
  await workspace.takeCatalog(await read())
  expect(await callEach(workspace)).toEqual(['new', 'ran', 'ran'])
})

test('a handler of a built manifest is unbound when the folder that was built has changed', async () => {
  const { folder, trustStore, home } = await trustedFolder(
    toolTree('tools/in_folder', "export const execute = () => 'ran'\n"),
  )
  const { manifest } = await buildProject([folder], { trustStore, counter: characters })
  const file = join(home, 'manifest.json')
  await writeFile(file, manifestText(manifest))
  const { catalog } = await openManifest(file, { folder, trustStore, counter: characters })
  const workspace = await opened(catalog)
  expect(await callEach(workspace, ['in_folder'])).toEqual(['ran'])
  await writeTree(folder, { 'late.js': '' })
  expect(await callEach(workspace, ['in_folder'])).toEqual(['UNBOUND'])
})

test('where the host answers for the code, nothing is compared', async () => {
  const { folder, read } = await trustedFolder()
  const bound = await read()
  const host = await openProject(folder, { trusted: true, project: folder, home: null })
  const workspace = await opened(host.catalog)
  await writeTree(folder, { 'lib/late.js': '2' })
  expect(await callEach(workspace)).toEqual(RAN)
  expect(bound.toolsByHash.size).toBeGreaterThan(0)
})

test('a damaged trust file unbinds tools, and says so', async () => {
  const { trustStore, read } = await trustedFolder()
  const workspace = await opened(await read())
  await writeFile(trustStore.file ?? '', '{')
  expect(await callEach(workspace)).toEqual(UNBOUND)
  expect(JSON.stringify(workspace.explain('in_file'))).toContain('is not valid')
})

test('a view of the log says what was recorded, whatever is withheld here', async () => {
  const { folder, read } = await trustedFolder()
  const catalog = await read()
  const workspace = await opened(catalog)
  await writeTree(folder, { 'lib/late.js': '2' })
  await callEach(workspace)
  const look = await workspace.sessions.look(workspace.state.seq)
  expect(look.explain('in_folder').status).toBe('available')
})

test('after any changes, a call runs exactly when the store trusts the content that was loaded', async () => {
  const step = fc.oneof(
    fc.record({
      write: fc.constantFrom('lib/late.js', 'lib/new.js'),
      text: fc.constantFrom('1', '2'),
    }),
    fc.record({ remove: fc.constantFrom('lib/late.js', 'lib/new.js') }),
    fc.constantFrom({ trust: true }, { trust: false }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 8 }), async (steps) => {
      const { folder, trustStore, read } = await trustedFolder()
      const { digest } = await trustStore.read(folder)
      const workspace = await opened(await read())
      for (const [change, isCalledMeanwhile] of steps) {
        // A look at the files that began before the change must not answer for a call after it.
        const meanwhile = isCalledMeanwhile ? callEach(workspace) : undefined
        if ('write' in change) await writeTree(folder, { [change.write]: change.text })
        else if ('remove' in change) await rm(join(folder, change.remove), { force: true })
        else if (change.trust) await trustStore.trust(folder)
        else await trustStore.untrust(folder)
        const now = await trustStore.check(folder)
        const isWhole = now.status === 'trusted' && now.record.digest === digest
        expect(await callEach(workspace)).toEqual(isWhole ? RAN : UNBOUND)
        await meanwhile
      }
    }),
    { numRuns: 20 },
  )
})

test('digests are compared again only when a look at the files finds a change', async () => {
  const { folder, trustStore } = await trustedFolder()
  // As if the files had been there for a minute.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  let compared = 0
  const check = (path: string) => {
    compared += 1
    return trustStore.check(path)
  }
  const counting = { ...trustStore, check }
  const { catalog } = await openProject(folder, {
    trustStore: counting,
    project: folder,
    home: null,
  })
  const workspace = await opened(catalog)
  expect(await callEach(workspace)).toEqual(RAN)
  expect(compared).toBe(1)
  await writeTree(folder, { 'lib/late.js': 'another' })
  expect(await callEach(workspace)).toEqual(UNBOUND)
  const afterChange = compared
  expect(await callEach(workspace)).toEqual(UNBOUND)
  expect(compared).toBe(afterChange)
})
