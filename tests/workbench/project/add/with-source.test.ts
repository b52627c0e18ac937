import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openGitSource } from '../../../../src/workbench/project/add/open-git-source.ts'
import { withSource } from '../../../../src/workbench/project/add/with-source.ts'
import type { SourceFiles } from '../../../../src/workbench/project/add/source-files.ts'
import { sourceSkills } from '../../../../src/workbench/project/add/source-skills.ts'
import { startEndlessRepository } from './endless-repository.ts'
import { skillText, temporaryFolder } from '../temporary-folder.ts'

interface Member {
  readonly path: string
  readonly text?: string
  /** `0` is a file, `1` and `2` are links, `5` is a folder, `x` has fields for the next member. */
  readonly type?: string
}

/** Writes a tar archive, also one that no program would write. */
function archiveOf(members: readonly Member[]): Buffer {
  const blocks = members.flatMap(({ path, text = '', type = '0' }) => {
    const header = Buffer.alloc(512)
    header.write(path, 0, 100)
    header.write('0000755\0', 100)
    header.write(`${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124)
    header.write(type, 156)
    header.write('ustar\0', 257)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
    body.write(text)
    return [header, body]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

/** Opens an archive with these members, and returns what `use` makes of it. */
async function withArchive<Result>(
  members: readonly Member[],
  use: (source: SourceFiles) => Promise<Result>,
): Promise<Result> {
  const cwd = await temporaryFolder({ 'skills.tgz': archiveOf(members) })
  return withSource('skills.tgz', cwd, use)
}

const PDF = { path: 'package/pdf/SKILL.md', text: skillText('pdf') }

test('an archive is read without the folder around its files', async () => {
  const long = `package/pdf/${'deep/'.repeat(30)}file.md`
  const record = `path=${long}\n`
  const length = record.length + 4
  await withArchive(
    [
      { path: 'package/', type: '5' },
      PDF,
      { path: 'pax', type: 'x', text: `${length} ${record}` },
      { path: 'short', text: 'long name' },
      { path: 'package/pdf/.git/config', text: 'x' },
      { path: 'package/pdf/node_modules/a.js', text: 'x' },
      { path: 'package/pdf/link', type: '2' },
      { path: 'package/pdf/hard', type: '1' },
    ],
    async (source) => {
      expect(source).toMatchObject({ origin: './skills.tgz', leftOut: ['pdf/link', 'pdf/hard'] })
      expect(source.files.map(({ path }) => path)).toEqual(['pdf/SKILL.md', long.slice(8)])
      const [, text] = await source.read(source.files)
      expect(new TextDecoder().decode(text)).toBe('long name')
    },
  )
})

test.each([
  ['../../evil.md'],
  ['/etc/evil.md'],
  ['package/../../evil.md'],
  ['C:/evil.md'],
  ['a\\..\\evil.md'],
  ['pdf/SKILL.md:stream'],
])('an archive with %s is refused', async (path) => {
  await expect(withArchive([PDF, { path, text: 'x' }], sourceSkills)).rejects.toMatchObject({
    code: 'SOURCE_UNSAFE',
  })
})

test.each(['skill.MD', '\u017fkill.md'])(
  'an archive with two names of one file is refused: %s',
  async (name) => {
    const other = { path: `package/pdf/${name}`, text: 'x' }
    await expect(withArchive([PDF, other], sourceSkills)).rejects.toMatchObject({
      code: 'SOURCE_UNSAFE',
    })
  },
)

test.each([
  ['no gzip', Buffer.from('text'), 'SOURCE_UNREADABLE'],
  ['a cut archive', gzipSync(Buffer.alloc(600, 'a')), 'SOURCE_UNREADABLE'],
])('%s is refused', async (_, bytes, code) => {
  const cwd = await temporaryFolder({ 'skills.tgz': bytes })
  await expect(withSource('skills.tgz', cwd, sourceSkills)).rejects.toMatchObject({ code })
})

test('a skill with too many files, or too many bytes, is left out', async () => {
  const many = Array.from({ length: 512 }, (_, at) => ({ path: `package/pdf/${at}.md`, text: 'x' }))
  const left = async (members: readonly Member[]) =>
    (await withArchive([PDF, ...members], sourceSkills)).left.map(({ why }) => why)
  expect(await left(many)).toEqual(['It has 513 files; at most 512 are copied.'])
  expect(await left([{ path: 'package/pdf/big', text: 'x'.repeat(17 * 1024 * 1024) }])).toEqual([
    expect.stringContaining('at most 16777216 are copied'),
  ])
  expect(await left(many.slice(1))).toEqual([])
})

test.each([
  [['LICENSE'], 'MIT License (LICENSE)'],
  [['pdf/LICENSE.txt', 'LICENSE'], 'MIT License (pdf/LICENSE.txt)'],
  [['package.json', 'LICENSE'], 'MIT License (LICENSE)'],
  [['package.json'], 'MIT (package.json)'],
  [['.claude-plugin/plugin.json'], 'MIT (.claude-plugin/plugin.json)'],
  [['pdf/package.json'], null],
  [[], null],
])('the licence of a skill with %j is %j', async (paths, license) => {
  const members = paths.map((path) => {
    const text = path.endsWith('.json') ? '{ "license": "MIT" }' : 'MIT License\n'
    return { path: `package/${path}`, text }
  })
  const { skills } = await withArchive([PDF, ...members], sourceSkills)
  expect(skills.map((skill) => skill.license)).toEqual([license])
})

test.each(['{', '[]', '{ "license": 7 }'])('%j is no licence', async (text) => {
  const { skills } = await withArchive([PDF, { path: 'package/package.json', text }], sourceSkills)
  expect(skills).toMatchObject([{ license: null }])
})

test('a package of npm is downloaded without running its scripts', async () => {
  const trace = join(await temporaryFolder(), 'trace')
  const manifest = {
    name: '@acme/skills',
    version: '1.2.0',
    license: 'MIT',
    scripts: { prepack: `touch ${trace}`, install: `touch ${trace}`, prepare: `touch ${trace}` },
    dependencies: { 'not-there': '1.0.0' },
  }
  const packed = archiveOf([{ path: 'package/package.json', text: JSON.stringify(manifest) }, PDF])
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url?.endsWith('.tgz') === true) return response.end(packed)
    const { port } = server.address() as AddressInfo
    const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`
    const dist = { tarball: `http://127.0.0.1:${port}/skills-1.2.0.tgz`, integrity }
    const versions = { '1.2.0': { ...manifest, dist } }
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({ name: manifest.name, 'dist-tags': { latest: '1.2.0' }, versions }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  onTestFinished(() => void vi.unstubAllEnvs())
  const { port } = server.address() as AddressInfo
  vi.stubEnv('NPM_CONFIG_REGISTRY', `http://127.0.0.1:${port}/`)
  vi.stubEnv('NPM_CONFIG_CACHE', await temporaryFolder())
  const cwd = await temporaryFolder({ '.npmrc': 'registry=http://127.0.0.1:1/\n' })
  await withSource('@acme/skills', cwd, async (source) => {
    expect(source).toMatchObject({ origin: 'npm:@acme/skills', commit: '1.2.0' })
    const { skills } = await sourceSkills(source)
    expect(skills).toMatchObject([{ name: 'pdf', license: 'MIT (package.json)' }])
  })
  await expect(withSource('npm:@acme/skills@9.9.9', cwd, sourceSkills)).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
  })
  expect(existsSync(trace)).toBe(false)
  expect(asked.filter((path) => path.includes('not-there'))).toEqual([])
})

test('a repository without end is refused, and nothing goes on reading it', async () => {
  const server = await startEndlessRepository()
  onTestFinished(() => server.close())
  const folder = await temporaryFolder()
  const most = 4 * 1024 * 1024
  await expect(openGitSource(server.address, undefined, folder, most)).rejects.toMatchObject({
    code: 'SOURCE_TOO_LARGE',
  })
  expect(server.sent()).toBeGreaterThan(most)
  await expect.poll(() => server.isOpen()).toBe(false)
})

test('a repository that was fetched before anybody looked is refused, too', async () => {
  const folder = await temporaryFolder({ 'pdf/SKILL.md': skillText('pdf') })
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...words], { cwd: folder })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'One')
  const fetched = await temporaryFolder()
  await expect(openGitSource(folder, undefined, fetched, 10)).rejects.toMatchObject({
    code: 'SOURCE_TOO_LARGE',
  })
  expect(await openGitSource(folder, undefined, await temporaryFolder())).toMatchObject({
    files: [{ path: 'pdf/SKILL.md' }],
  })
})

test.each(['.git', '.GIT', 'node_modules', '.vscode', 'con'])(
  'a skill with the name %s is left out: its folder would have a meaning for other programs',
  async (name) => {
    const text = skillText('evil').replace('name: evil', `name: ${name}`)
    const members = [PDF, { path: 'package/evil/SKILL.md', text }]
    const { skills, left } = await withArchive(members, sourceSkills)
    expect(skills.map((one) => one.name)).toEqual(['pdf'])
    expect(left).toEqual([
      { path: 'evil/SKILL.md', why: expect.stringContaining('It cannot have its name') as string },
    ])
  },
)

test.each([
  ['HEAD', 'config', 'objects/x', 'refs/x'],
  ['deep/er/HEAD', 'deep/er/config', 'deep/er/objects/x', 'deep/er/refs/x'],
  ['x/head', 'x/objects/a', 'x/REFS/a'],
  ['x/HEAD', 'x/commondir', 'x/y/config', 'x/y/objects/a', 'x/y/refs/a'],
  // One folder on macOS or Windows.
  ['X/HEAD', 'x/objects/a', 'x/refs/a'],
  ['\u00e9/HEAD', 'e\u0301/object\u017f/a', 'e\u0301/ref\u017f/a'],
  ['x./HEAD', 'x/objects/a', 'x/refs. ./a'],
  ['y/HEAD', 'y/objects/a', 'Y./refs/a'],
  // Of other programs.
  ['.hg/hgrc'],
  ['x/.HG./hgrc'],
  ['.jj/repo/config.toml'],
  ['.bzr/branch/branch.conf'],
  ['_darcs/prefs/defaults'],
  ['.pijul/config'],
])('a skill with a repository is left out: %s …', async (...paths) => {
  const parts = paths.map((path) => ({ path: `package/evil/${path}`, text: 'x' }))
  const members = [PDF, { path: 'package/evil/SKILL.md', text: skillText('evil') }, ...parts]
  const { skills, left } = await withArchive(members, sourceSkills)
  expect(skills.map(({ name }) => name)).toEqual(['pdf'])
  expect(left.map(({ why }) => why)).toEqual([expect.stringContaining('looks like a repository')])
})

test.each(['a\u001b[31m.md', 'a\nb.md', 'a\u202eb.md', 'a\u009bb.md', 'zero\u200bwidth.md'])(
  'a skill with a file named %j is left out, and the reason shows no such character',
  async (name) => {
    const text = skillText('evil')
    const members = [
      PDF,
      { path: 'package/evil/SKILL.md', text },
      { path: `package/evil/${name}`, text },
    ]
    const { skills, left } = await withArchive(members, sourceSkills)
    expect(skills.map((one) => one.name)).toEqual(['pdf'])
    expect(left).toHaveLength(1)
    expect(left[0]?.why).toMatch(
      /^It is not copied: the name "evil\/[^\p{Cc}\p{Cf}]*" has a hidden/u,
    )
  },
)
