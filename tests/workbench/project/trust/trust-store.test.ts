import { execFile } from 'node:child_process'
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { lockFile } from '../../../../src/workbench/project/walk/lock-file.ts'
import {
  defaultTrustFile,
  openTrustStore,
  trustChangedMessage,
} from '../../../../src/workbench/project/trust/trust-store.ts'
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
    'a/SKILL.md',
    'a/notes.md',
    'a/tools/t/doc_summary.md',
    'a/tools/t/handler.js',
    'a/tools/t/lib/help.mjs',
    'a/tools/t/schema.json',
    'loadout.config.ts',
    'node_modules/pkg/index.js',
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
  { name: 'a text', tree: { 'a/notes.md': 'y' }, files: ['a/notes.md'] },
  {
    name: 'an installed package',
    tree: { 'node_modules/pkg/index.js': '//' },
    files: ['node_modules/pkg/index.js'],
  },
  { name: 'a module without an ending', tree: { 'a/helper': '' }, files: ['a/helper'] },
  { name: 'a module with an odd ending', tree: { 'a/y.foo': '' }, files: ['a/y.foo'] },
  { name: 'what a script sources', tree: { 'a/lib.inc': '' }, files: ['a/lib.inc'] },
  {
    name: 'a folder named .git below it',
    tree: { 'a/.git/x.js': '' },
    files: ['a/.git/x.js'],
  },
  { name: 'a new package.json', tree: { 'package.json': '{}' }, files: ['package.json'] },
])('$name takes trust back and is named', async ({ tree, files }) => {
  const { folder, store } = await folderAndStore()
  await store.trust(folder)
  await writeTree(folder, tree)
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files })
  await store.trust(folder)
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
})

test("Git's own data in the folder itself may change", async () => {
  const { folder, store } = await folderAndStore()
  await store.trust(folder)
  await writeTree(folder, { '.git/index': 'y' })
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
})

test("trust in a folder does not cover code in Git's own data, which may change", async () => {
  const { folder, store } = await folderAndStore()
  await writeTree(folder, { '.git/skills/x/SKILL.md': skillText('x') })
  const inner = join(folder, '.git/skills')
  await store.trust(folder)
  expect(await store.check(inner)).toEqual({ status: 'untrusted' })
  await store.trust(inner)
  expect(await store.check(inner)).toMatchObject({ status: 'trusted' })
  await writeTree(folder, { '.git/skills/x/SKILL.md': skillText('y') })
  expect(await store.check(inner)).toMatchObject({ status: 'changed', files: ['x/SKILL.md'] })
})

test('a folder with a file that is too large is not trusted, also if the file comes later', async () => {
  const { folder, store } = await folderAndStore()
  await store.trust(folder)
  const big = join(folder, 'big.js')
  await writeFile(big, '')
  await truncate(big, 65 * 1024 * 1024)
  await expect(store.trust(folder)).rejects.toMatchObject({
    code: 'TRUST_TOO_LARGE',
    facts: { path: big },
  })
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files: ['big.js'] })
})

test('a folder in which code could be deeper than is read is not trusted', async () => {
  const { folder, store } = await folderAndStore()
  const deep = Array.from({ length: 129 }, () => 'd').join('/')
  await writeTree(folder, { [`${deep}/x.js`]: '' })
  await expect(store.trust(folder)).rejects.toMatchObject({ code: 'TRUST_TOO_LARGE' })
})

test('a folder with a file that cannot be read is not trusted', async () => {
  const { folder, store } = await folderAndStore()
  // Nobody can read it, not even the owner of the machine.
  await symlink('/proc/self/mem', join(folder, 'memory.js'))
  await expect(store.trust(folder)).rejects.toMatchObject({ code: 'TRUST_UNREADABLE' })
})

test('a link that leads to another place of the same folder is a change', async () => {
  const { folder, store } = await folderAndStore()
  await writeTree(folder, { 'v1/x.js': '1', 'v2/x.js': '2' })
  await symlink('v1', join(folder, 'lib'))
  await store.trust(folder)
  await rm(join(folder, 'lib'))
  await symlink('v2', join(folder, 'lib'))
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files: ['lib'] })
})

test('a link whose way through a link outside leads to another place of the same folder is a change', async () => {
  const { folder, store } = await folderAndStore()
  await writeTree(folder, { 'v1/x.js': '1', 'v2/x.js': '2' })
  const hop = join(await temporaryFolder(), 'hop')
  await symlink(join(folder, 'v1'), hop)
  await symlink(hop, join(folder, 'lib'))
  await store.trust(folder)
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
  await rm(hop)
  await symlink(join(folder, 'v2'), hop)
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files: ['lib'] })
})

test.runIf(sep === '/')(
  'a backslash in the name of a file does not hide it behind another file',
  async () => {
    const { folder, store } = await folderAndStore()
    await writeFile(join(folder, 'a\\tools\\t\\handler.js'), '1')
    await store.trust(folder)
    await writeFile(join(folder, 'a\\tools\\t\\handler.js'), '2')
    expect(await store.check(folder)).toMatchObject({
      status: 'changed',
      files: ['a\\tools\\t\\handler.js'],
    })
  },
)

test.runIf(process.platform === 'linux')(
  'a folder with a folder whose name is not UTF-8 is not trusted, because its files cannot be read',
  async () => {
    const { folder, store } = await folderAndStore()
    await mkdir(Buffer.concat([Buffer.from(join(folder, 'a', 'inner')), Buffer.of(0xff)]))
    await expect(store.trust(folder)).rejects.toMatchObject({ code: 'TRUST_UNREADABLE' })
  },
)

test('trust of a version that did not cover every file must be given again', async () => {
  const { folder, file, store } = await folderAndStore()
  await store.trust(folder)
  const written = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...written, format: 1 }))
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files: [] })
  expect(trustChangedMessage([])).toMatchInlineSnapshot(
    `"Code was not run: the folder was trusted by a version that did not cover every file."`,
  )
  // Trust in another folder does not renew it.
  await store.trust(await temporaryFolder({ 'a.js': '' }))
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files: [] })
  await store.trust(folder)
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
})

test.each(['', '.', 'some/where'])(
  'with HOME=%j nothing is trusted and nothing stored',
  async (home) => {
    const project = await temporaryFolder({ 'skills/a/SKILL.md': skillText('a') })
    // The project brings its own trust file, at each place that such a home could mean.
    for (const folder of [project, join(project, home)]) {
      const file = join(folder, '.config/loadout/trust.json')
      await openTrustStore({ file }).trust(join(project, 'skills'))
    }
    const module = join(
      import.meta.dirname,
      '../../../../src/workbench/project/trust/trust-store.ts',
    )
    const script = `
    const { openTrustStore } = await import(${JSON.stringify(module)})
    const store = openTrustStore()
    const trust = await store.trust('skills').catch(({ code }) => code)
    console.log(JSON.stringify([store.file, (await store.check('skills')).status, trust]))`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      { cwd: project, env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home } },
    )
    expect(JSON.parse(stdout)).toEqual([null, 'untrusted', 'TRUST_NO_HOME'])
  },
)

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
    format: 2,
    folders: [{ folder }],
  })
})

test.each(['', '{', '{"format":3,"folders":[]}', '{"format":1,"folders":[{"folder":1}]}'])(
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

test.each([
  { kind: 'that others can change', change: (file: string) => chmod(file, 0o620) },
  {
    kind: 'that is a link',
    change: async (file: string) => {
      await rename(file, `${file}.real`)
      await symlink(`${file}.real`, file)
    },
  },
])('a trust file $kind trusts nobody, and one that others can read does', async ({ change }) => {
  const { folder, file, store } = await folderAndStore()
  await store.trust(folder)
  await chmod(file, 0o644)
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
  await change(file)
  const refused = { code: 'TRUST_DAMAGED', facts: { file } }
  await expect(store.check(folder)).rejects.toMatchObject(refused)
  await expect(store.trust(folder)).rejects.toMatchObject(refused)
  await rm(file)
  await store.trust(folder)
  expect(await store.check(folder)).toMatchObject({ status: 'trusted' })
})

test('trust that is given and withdrawn at the same time does not undo each other', async () => {
  const { folder, file, store } = await folderAndStore()
  const others = await Promise.all(Array.from({ length: 4 }, () => temporaryFolder({ a: '' })))
  await store.trust(folder)
  const given = others.map((other) => openTrustStore({ file }).trust(other))
  await Promise.all([...given, store.untrust(folder)])
  const trusted = (await store.list()).map((record) => record.folder)
  expect(new Set(trusted)).toEqual(new Set(others))
})

test('a store that another process does not stop changing is locked', async () => {
  const { folder, file, store } = await folderAndStore()
  await mkdir(dirname(file), { recursive: true })
  const release = await lockFile(file)
  // Its pauses are random: it makes all attempts at once.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  await expect(store.trust(folder)).rejects.toMatchObject({
    code: 'FILE_LOCKED',
    message: `${file} has another writer in this process.`,
    facts: { file, pid: process.pid },
    hint: 'Try again when that process has ended.',
  })
  vi.restoreAllMocks()
  await release()
  await store.trust(folder)
  expect(await store.list()).toHaveLength(1)
})

test('a store that cannot be written is an error of a file, not of a log', async () => {
  const { folder, file } = await folderAndStore()
  // Its lock would have a name that no file can have.
  const long = join(dirname(file), 't'.repeat(253))
  await expect(openTrustStore({ file: long }).trust(folder)).rejects.toMatchObject({
    code: 'FILE_WRITE_FAILED',
    facts: { file: long, reason: 'ENAMETOOLONG' },
  })
})

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
