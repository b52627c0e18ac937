import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadSkills } from '../../../src/workbench/project/folders/load-skills.ts'
import { FIXED_LIMITS } from '../../../src/workbench/project/walk/load-options.ts'
import { skillText, temporaryFolder, type Tree } from './temporary-folder.ts'

/** A folder with one sound skill `a` and whatever else a test puts there. */
const withSkill = (tree = {}) => temporaryFolder({ 'a/SKILL.md': skillText('a'), ...tree })

async function findings(root: string, options = {}) {
  const loaded = await loadSkills(root, options)
  return {
    names: loaded.skills.map(({ name }) => name),
    files: loaded.skills.flatMap(({ files }) => files.map(({ path }) => path)),
    codes: loaded.diagnostics.map(({ code }) => code),
  }
}

test.each([
  { what: 'a named pipe', make: (path: string) => execFileSync('mkfifo', [path]) },
  { what: 'a folder', make: (path: string) => mkdir(path) },
  { what: 'a socket', make: listen },
  { what: 'a device', make: (path: string) => symlink('/dev/zero', path) },
])('$what where SKILL.md should be is an error and never a hang', async ({ make }) => {
  const root = await withSkill({ 'b/x': '' })
  await make(join(root, 'b/SKILL.md'))
  expect(await findings(root)).toEqual({ names: ['a'], files: [], codes: ['file-not-regular'] })
})

test.each([
  { what: 'a named pipe', make: (path: string) => execFileSync('mkfifo', [path]) },
  { what: 'a socket', make: listen },
])('$what among the files is not listed, and reported', async ({ make }) => {
  const root = await withSkill({ 'a/x.md': 'x' })
  await make(join(root, 'a/odd'))
  expect(await findings(root)).toEqual({
    names: ['a'],
    files: ['x.md'],
    codes: ['file-not-regular'],
  })
})

test('links out of the skill are left alone unless they may be followed', async () => {
  const outside = await temporaryFolder({
    'secret.md': 's',
    'docs/d.md': 'd',
    'docs/e.md': 'e',
    'b/SKILL.md': skillText('b'),
  })
  const root = await withSkill()
  await symlink(join(outside, 'secret.md'), join(root, 'a/file.md'))
  await symlink(join(outside, 'docs'), join(root, 'a/docs'))
  await symlink(join(outside, 'b'), join(root, 'b'))
  // One finding for each link: what is behind a linked folder is not looked at.
  expect(await findings(root)).toEqual({
    names: ['a'],
    files: [],
    codes: ['link-outside', 'link-outside', 'link-outside'],
  })
  expect(await findings(root, { followLinksOut: true })).toEqual({
    names: ['a', 'b'],
    files: ['docs/d.md', 'docs/e.md', 'file.md'],
    codes: [],
  })
})

test('a SKILL.md that is a link out is not read', async () => {
  const outside = await temporaryFolder({ 'SKILL.md': skillText('b') })
  const root = await withSkill({ 'b/x': '' })
  await symlink(join(outside, 'SKILL.md'), join(root, 'b/SKILL.md'))
  expect(await findings(root)).toEqual({ names: ['a'], files: [], codes: ['link-outside'] })
})

test('a sibling whose name starts the same is outside', async () => {
  const root = await withSkill({ 'a-evil/secret.md': 's' })
  await symlink('../a-evil/secret.md', join(root, 'a/file.md'))
  expect(await findings(join(root, 'a'))).toEqual({
    names: ['a'],
    files: [],
    codes: ['link-outside'],
  })
})

test('links inside a skill are fine, and loops end', async () => {
  const root = await withSkill({ 'a/docs/d.md': 'd' })
  await symlink('docs/d.md', join(root, 'a/file.md'))
  await symlink('docs', join(root, 'a/references'))
  await symlink('..', join(root, 'a/docs/up'))
  await symlink('self', join(root, 'a/self'))
  expect(await findings(root)).toEqual({
    names: ['a'],
    files: ['docs/d.md', 'file.md', 'references/d.md'],
    codes: ['link-broken'],
  })
})

test('a link to nothing is reported', async () => {
  const root = await withSkill()
  await symlink('/nowhere/at/all', join(root, 'b'))
  await symlink('missing.md', join(root, 'a/x.md'))
  expect(await findings(root)).toEqual({
    names: ['a'],
    files: [],
    codes: ['file-not-found', 'file-not-found'],
  })
})

test('a linked tools folder is read when it stays inside, and not when it leads out', async () => {
  const schema = JSON.stringify({ description: 'T.' })
  const root = await withSkill({ 'a/impl/t/schema.json': schema })
  await symlink('impl', join(root, 'a/tools'))
  expect((await loadSkills(root)).skills[0]?.tools).toMatchObject([{ name: 't' }])
  const other = await withSkill()
  await symlink(join(root, 'a/impl'), join(other, 'a/tools'))
  const loaded = await loadSkills(other)
  expect(loaded.skills[0]?.tools).toEqual([])
  expect(loaded.diagnostics).toMatchObject([{ code: 'link-outside' }])
})

test.each([
  { what: 'UTF-16', bytes: Buffer.from('\uFEFF---\nname: b', 'utf16le'), code: 'encoding-utf16' },
  {
    what: 'invalid UTF-8',
    bytes: Buffer.from([...Buffer.from(skillText('b')), 0xff]),
    code: 'encoding-invalid',
  },
  { what: 'a NUL byte', bytes: Buffer.from(`${skillText('b')}\0`), code: 'encoding-nul' },
])('a SKILL.md with $what is an error', async ({ bytes, code }) => {
  const root = await withSkill({ 'b/SKILL.md': bytes })
  expect(await findings(root)).toEqual({ names: ['a'], files: [], codes: [code] })
})

test.each([
  { what: 'a byte order mark', text: `\uFEFF${skillText('b')}` },
  { what: 'CRLF', text: skillText('b').replaceAll('\n', '\r\n') },
  { what: 'carriage returns', text: skillText('b').replaceAll('\n', '\r') },
  { what: 'a body of 300 kB', text: skillText('b') + 'word '.repeat(60_000) },
  { what: 'a line of 900 kB', text: skillText('b') + 'x'.repeat(900_000) },
])('a SKILL.md with $what loads without a finding', async ({ text }) => {
  const root = await temporaryFolder({ 'b/SKILL.md': text })
  expect(await findings(root)).toEqual({ names: ['b'], files: [], codes: [] })
})

test('a definition over the limit is not read', async () => {
  const root = await withSkill({
    'b/SKILL.md': skillText('b') + 'x'.repeat(FIXED_LIMITS.maxTextBytes),
  })
  expect(await findings(root)).toEqual({
    names: ['a'],
    files: [],
    codes: ['file-too-large'],
  })
})

test('a listing that is cut by its depth says so', async () => {
  const root = await temporaryFolder({
    'SKILL.md': skillText('a'),
    'b/c.md': '12345',
    'b/d/e.md': '12345',
    'z.md': 'z',
  })
  const found = await findings(root, { limits: { maxDepth: 1 } })
  expect(found.files).toEqual(['b/c.md', 'z.md'])
  expect(found.codes).toContain('files-cut')
})

test('a listing that is cut by its number says so', async () => {
  const names = Array.from({ length: FIXED_LIMITS.maxFiles + 1 }, (_, at) => [
    `f${1_000 + at}.md`,
    'x',
  ])
  const root = await temporaryFolder({
    'SKILL.md': skillText('a'),
    ...(Object.fromEntries(names) as Tree),
  })
  const found = await findings(root)
  expect(found.files).toHaveLength(FIXED_LIMITS.maxFiles)
  expect(found.files).not.toContain(`f${1_000 + FIXED_LIMITS.maxFiles}.md`)
  expect(found.codes).toContain('files-cut')
})

test('a listing that is cut by its bytes says so, and has the later files that fit', async () => {
  const texts = { 'a.md': 'abc', 'b.md': '', 'z.md': 'z' }
  const root = await temporaryFolder({ 'SKILL.md': skillText('a'), ...texts })
  await truncate(join(root, 'b.md'), FIXED_LIMITS.maxSkillBytes)
  const found = await findings(root)
  expect(found.files).toEqual(['a.md', 'z.md'])
  expect(found.codes).toContain('files-cut')
})

test.each([{ limits: { maxDepth: 1 } }, { limits: { maxFolders: 3 } }])(
  'a cut scan says so: $limits',
  async ({ limits }) => {
    const root = await withSkill({ 'b/c/SKILL.md': skillText('c'), 'd/x': '' })
    expect(await findings(root, { limits })).toEqual({
      names: ['a'],
      files: [],
      codes: ['scan-cut'],
    })
  },
)

test.each([
  { levels: 16, names: ['a'], codes: [] },
  { levels: 17, names: [], codes: ['scan-cut'] },
])("a skill $levels levels down: found without limits of one's own $names", async (row) => {
  const root = await temporaryFolder({
    [`${'x/'.repeat(row.levels - 1)}a/SKILL.md`]: skillText('a'),
  })
  const { names, codes } = await findings(root, {})
  expect({ names, codes }).toEqual({ names: row.names, codes: row.codes })
})

test('names that are paths elsewhere are not listed', async () => {
  const root = await withSkill({ 'a/..\\up.md': 'x', 'a/C:x.md': 'x', 'a/%2e%2e': 'x' })
  expect(await findings(root)).toEqual({
    names: ['a'],
    files: ['%2e%2e'],
    codes: ['file-name-odd', 'file-name-odd'],
  })
})

test.skipIf(process.getuid?.() === 0)('a file that may not be read is reported', async () => {
  const root = await withSkill({ 'b/SKILL.md': skillText('b') })
  await chmod(join(root, 'b/SKILL.md'), 0)
  expect(await findings(root)).toEqual({ names: ['a'], files: [], codes: ['file-unreadable'] })
})

async function listen(path: string): Promise<void> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(path, resolve))
}
