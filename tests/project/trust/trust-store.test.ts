import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { defaultTrustFile, openTrustStore } from '../../../src/project/trust/trust-store.ts'
import { skillText, temporaryFolder, toolTree, writeTree } from '../temporary-folder.ts'

async function folderAndStore() {
  const home = await temporaryFolder()
  const folder = await temporaryFolder({
    'a/SKILL.md': skillText('a'),
    'a/notes.md': 'x',
    'loadout.config.ts': 'export default {}',
    'node_modules/pkg/index.js': '',
    ...toolTree('a/tools/t'),
    'a/tools/t/lib/help.mjs': '',
  })
  const file = join(home, 'loadout/trust.json')
  return { folder, file, store: openTrustStore({ file }) }
}

test('a folder is untrusted until somebody trusts it, and again afterwards', async () => {
  const { folder, store } = await folderAndStore()
  expect(await store.check(folder)).toEqual({ status: 'untrusted' })
  const record = await store.trust(folder)
  expect(record.files.map(([path]) => path)).toEqual([
    'a/tools/t/handler.js',
    'a/tools/t/lib/help.mjs',
    'a/tools/t/schema.json',
    'loadout.config.ts',
  ])
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
  expect(await store.list()).toEqual([record])
  expect(await store.untrust(folder)).toBe(true)
  expect(await store.untrust(folder)).toBe(false)
  expect(await store.check(folder)).toEqual({ status: 'untrusted' })
})

test.each([
  {
    name: 'a changed handler',
    tree: { 'a/tools/t/handler.js': '//' },
    files: ['a/tools/t/handler.js'],
  },
  {
    name: 'a changed module next to it',
    tree: { 'a/tools/t/lib/help.mjs': '//' },
    files: ['a/tools/t/lib/help.mjs'],
  },
  { name: 'a script of another language', tree: { 'a/run.sh': '' }, files: ['a/run.sh'] },
  {
    name: 'what a script may load',
    tree: { 'a/scripts/words.txt': '' },
    files: ['a/scripts/words.txt'],
  },
  { name: 'a new script', tree: { 'a/new.ts': '' }, files: ['a/new.ts'] },
  { name: 'a new package.json', tree: { 'package.json': '{}' }, files: ['package.json'] },
])('$name takes trust back and is named', async ({ tree, files }) => {
  const { folder, store } = await folderAndStore()
  await store.trust(folder)
  await writeTree(folder, tree)
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files })
  await store.trust(folder)
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
})

test('texts, and what packages install, may change', async () => {
  const { folder, store } = await folderAndStore()
  await store.trust(folder)
  await writeTree(folder, { 'a/notes.md': 'y', 'node_modules/pkg/index.js': '//' })
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
})

test('code behind a link counts as code of the folder', async () => {
  const { folder, store } = await folderAndStore()
  const outside = await temporaryFolder({ 'x.js': '1' })
  await symlink(outside, join(folder, 'lib'))
  await symlink(join(outside, 'x.js'), join(folder, 'y.js'))
  await store.trust(folder)
  await writeFile(join(outside, 'x.js'), '2')
  expect(await store.check(folder)).toMatchObject({
    status: 'changed',
    files: ['lib/x.js', 'y.js'],
  })
})

test('trust in a folder covers those below it, and no sibling', async () => {
  const { folder, store } = await folderAndStore()
  await store.trust(join(folder, 'a'))
  await mkdir(join(folder, 'a-evil'))
  expect(await store.check(join(folder, 'a/tools'))).toMatchObject({ status: 'trusted' })
  expect(await store.check(join(folder, 'a-evil'))).toEqual({ status: 'untrusted' })
  expect(await store.check(folder)).toEqual({ status: 'untrusted' })
})

test('the file is the own user alone to read, and no draft of it stays', async () => {
  const { folder, store, file } = await folderAndStore()
  await store.trust(folder)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(dirname(file))).toEqual(['trust.json'])
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    format: 1,
    folders: [{ folder }],
  })
})

test.each(['', '{', '{"format":2,"folders":[]}', '{"format":1,"folders":[{"folder":1}]}'])(
  'a damaged file (%j) trusts nobody and says so',
  async (text) => {
    const { folder, file, store } = await folderAndStore()
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    await expect(store.check(folder)).rejects.toMatchObject({
      code: 'TRUST_DAMAGED',
      facts: { file },
    })
    await expect(store.trust(folder)).rejects.toMatchObject({ code: 'TRUST_DAMAGED' })
  },
)

test('a folder that is not there cannot be trusted', async () => {
  const { folder, store } = await folderAndStore()
  await expect(store.trust(join(folder, 'nowhere'))).rejects.toMatchObject({
    code: 'PATH_NOT_FOUND',
  })
})

test('the file is in the configuration folder of the user', () => {
  vi.stubEnv('XDG_CONFIG_HOME', '/somewhere')
  expect(defaultTrustFile()).toBe('/somewhere/loadout/trust.json')
  vi.stubEnv('XDG_CONFIG_HOME', 'relative')
  expect(defaultTrustFile()).toMatch(/\/\.config\/loadout\/trust\.json$/)
  vi.unstubAllEnvs()
})
