import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fitsGlob } from '../../../examples/workbench/skills/repo-explorer/lib/glob.ts'
import { failureOf, toolUnderTest } from './tool-under-test.ts'

const above = mkdtempSync(join(tmpdir(), 'repo-explorer-'))
const root = join(above, 'project')
const services = { root }
afterAll(() => rmSync(above, { recursive: true }))

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' })
}

write('readme.md', '# Title\n\nFirst line\r\nSecond LINE\n')
write('src/main.ts', 'const answer = 42 // (a+b)*c\n')
write('src/deep/er/util.ts', 'export {}\n')
write('node_modules/pack/index.js', 'answer\n')
write('image.bin', Uint8Array.of(0x89, 0x50, 0, 1, 2))
write('latin.txt', Uint8Array.of(0x63, 0x61, 0x66, 0xe9))
write('utf16.txt', Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0))
write('bom.txt', '\uFEFFmarked')
write('empty.txt', '')
write('long.txt', Array.from({ length: 1500 }, (_, index) => `line ${index + 1}`).join('\n'))
write('wide.txt', `${'x'.repeat(9000)}needle${'y'.repeat(9000)}`)
write('big.txt', `start\n${'0123456\n'.repeat(600_000)}`)
write('__proto__', 'constructor\n')
mkdirSync(join(above, 'project-secrets'))
writeFileSync(join(above, 'project-secrets', 'key.txt'), 'answer: secret')
symlinkSync('../project-secrets/key.txt', join(root, 'key-link.txt'))
symlinkSync('../project-secrets', join(root, 'folder-link'))
symlinkSync('src/main.ts', join(root, 'inner-link.ts'))
symlinkSync('nowhere', join(root, 'dangling'))
symlinkSync('loop', join(root, 'loop'))
symlinkSync('.git', join(root, 'git-link'))
execFileSync('mkfifo', [join(root, 'pipe')])
git(root, 'init', '-q', '-b', 'main')

const listFiles = await toolUnderTest('repo-explorer', 'list_files')
const readFile = await toolUnderTest('repo-explorer', 'read_file')
const searchText = await toolUnderTest('repo-explorer', 'search_text')
const gitHistory = await toolUnderTest('repo-explorer', 'git_history')

describe('list_files', () => {
  test('lists two levels in one order, with sizes, links named, .git and node_modules left out', async () => {
    const { entries, complete } = await listFiles({}, { services })
    expect(complete).toBe(true)
    expect(entries.map(({ path, kind }: { path: string; kind: string }) => `${kind} ${path}`))
      .toMatchInlineSnapshot(`
        [
          "file __proto__",
          "file big.txt",
          "file bom.txt",
          "link dangling",
          "file empty.txt",
          "link folder-link",
          "link git-link",
          "file image.bin",
          "link inner-link.ts",
          "link key-link.txt",
          "file latin.txt",
          "file long.txt",
          "link loop",
          "other pipe",
          "file readme.md",
          "folder src",
          "folder src/deep",
          "file src/main.ts",
          "file utf16.txt",
          "file wide.txt",
        ]
      `)
    expect(entries).toContainEqual({ path: 'src/main.ts', kind: 'file', size: 29 })
  })

  test('finds files by a glob at any depth, and below a folder', async () => {
    const byName = await listFiles({ glob: '*.ts' }, { services })
    expect(byName.entries.map(({ path }: { path: string }) => path)).toEqual([
      'inner-link.ts',
      'src/deep/er/util.ts',
      'src/main.ts',
    ])
    const byPath = await listFiles({ path: 'src', glob: 'src/*.ts' }, { services })
    expect(byPath.entries).toEqual([{ path: 'src/main.ts', kind: 'file', size: 29 }])
  })

  test('says when the limit cut the listing, and not when it was just met', async () => {
    const cut = await listFiles({ path: 'src', limit: 2 }, { services })
    expect(cut.entries).toHaveLength(2)
    expect(cut.note).toBe('Cut after 2 entries. Give a deeper path, a glob or a higher limit.')
    const met = await listFiles({ path: 'src', limit: 3 }, { services })
    expect(met).toMatchObject({ complete: true, entries: { length: 3 } })
  })

  test('of a file is refused with the tool that reads it', async () => {
    expect(await failureOf(listFiles({ path: 'readme.md' }, { services }))).toBe(
      'VALIDATION: "readme.md" is not a folder; read_file reads files.',
    )
  })

  test('starts at the current folder when the host gives no root', async () => {
    const { entries } = await listFiles({ depth: 1 })
    expect(entries).toContainEqual(expect.objectContaining({ path: 'package.json' }))
  })
})

describe('read_file', () => {
  test.each([
    [
      'whole',
      {},
      { text: '# Title\n\nFirst line\nSecond LINE', startLine: 1, endLine: 4, lines: 4 },
    ],
    ['from a line on', { startLine: 3 }, { text: 'First line\nSecond LINE', startLine: 3 }],
    ['to a line', { endLine: 1 }, { text: '# Title', endLine: 1, complete: true }],
    [
      'to a line beyond its end',
      { startLine: 4, endLine: 99 },
      { text: 'Second LINE', endLine: 4 },
    ],
  ])('reads a file %s', async (_, range, expected) => {
    expect(await readFile({ path: 'readme.md', ...range }, { services })).toMatchObject(expected)
  })

  test.each([
    ['image.bin', 'with a NUL byte', { kind: 'binary', size: 5 }],
    ['latin.txt', 'that is not UTF-8', { kind: 'binary', size: 4 }],
    ['utf16.txt', 'in UTF-16 with its mark', { kind: 'text', text: 'hi' }],
    ['bom.txt', 'with a byte order mark', { kind: 'text', text: 'marked' }],
    ['empty.txt', 'that is empty', { kind: 'text', text: '', lines: 0, complete: true }],
    ['inner-link.ts', 'through a link that stays inside', { text: 'const answer = 42 // (a+b)*c' }],
    ['./src/../readme.md', 'by a path with dots that stays inside', { path: 'readme.md' }],
    ['__proto__', 'of a name that breaks look-ups', { text: 'constructor' }],
  ])('reads %s, a file %s', async (path, _, expected) => {
    expect(await readFile({ path }, { services })).toMatchObject(expected)
  })

  test('cuts after a thousand lines and names the line to go on with', async () => {
    const first = await readFile({ path: 'long.txt' }, { services })
    expect(first).toMatchObject({ endLine: 1000, lines: 1500, complete: false })
    expect(first.note).toBe('Cut after line 1000; go on with startLine 1001.')
    const rest = await readFile({ path: 'long.txt', startLine: 1001 }, { services })
    expect(rest).toMatchObject({ endLine: 1500, complete: true })
  })

  test('cuts a line of many characters and says how many are missing', async () => {
    const { text } = await readFile({ path: 'wide.txt' }, { services })
    expect(text).toHaveLength(4000 + '… (14006 characters more)'.length)
    expect(text.endsWith('… (14006 characters more)')).toBe(true)
  })

  test('reads no more than the first 4 MiB, and says so', async () => {
    const { lines } = await readFile({ path: 'big.txt' }, { services })
    const last = await readFile({ path: 'big.txt', startLine: lines }, { services })
    expect(last.note).toBe('Only the first 4194304 bytes of a file are ever read.')
  })

  test.each([
    ['src', 'VALIDATION: "src" is a folder; list_files shows what is in it.'],
    ['pipe', 'VALIDATION: "pipe" is not a plain file.'],
    ['missing.txt', 'NOT_FOUND: There is no "missing.txt" below the root.'],
    ['readme.md/x', 'NOT_FOUND: There is no "readme.md/x" below the root.'],
    ['dangling', 'NOT_FOUND: There is no "dangling" below the root.'],
    ['loop', 'PERMANENT: "loop" cannot be opened (ELOOP).'],
  ])('of %s fails: %s', async (path, expected) => {
    expect(await failureOf(readFile({ path }, { services }))).toBe(expected)
  })

  test('of lines that are not there says how many there are', async () => {
    expect(await failureOf(readFile({ path: 'readme.md', startLine: 9 }, { services }))).toBe(
      'VALIDATION: Lines 9 to the end were asked for; "readme.md" has 4.',
    )
    expect(
      await failureOf(readFile({ path: 'readme.md', startLine: 3, endLine: 2 }, { services })),
    ).toBe('VALIDATION: Lines 3 to 2 were asked for; "readme.md" has 4.')
  })
})

describe('no tool leaves the root', () => {
  const escapes = [
    ['../project-secrets/key.txt', 'leads out of the root'],
    ['src/../../project-secrets/key.txt', 'leads out of the root'],
    ['..', 'leads out of the root'],
    ['/etc/passwd', 'is absolute; paths are relative to the root'],
    ['C:/Windows', 'is absolute; paths are relative to the root'],
    ['..\\project-secrets\\key.txt', 'holds a backslash; write "/"'],
    ['readme.md\0.txt', 'holds a NUL character'],
    ['.git/config', 'is in a folder that is never read'],
    ['.GIT/config', 'is in a folder that is never read'],
    ['node_modules/pack/index.js', 'is in a folder that is never read'],
  ] as const
  const links = [
    ['key-link.txt', 'is a link that leads out of the root'],
    ['folder-link/key.txt', 'is a link that leads out of the root'],
    ['git-link/config', 'leads to a folder that is never read'],
  ] as const

  test.each([...escapes, ...links])('%j %s', async (path, why) => {
    const expected = `DENIED: The path ${JSON.stringify(path)} ${why}.`
    expect(await failureOf(readFile({ path }, { services }))).toBe(expected)
    expect(await failureOf(listFiles({ path }, { services }))).toBe(expected)
    expect(await failureOf(searchText({ text: 'a', path }, { services }))).toBe(expected)
  })

  test.each(escapes)('git_history: %j %s', async (path, why) => {
    const expected = `DENIED: The path ${JSON.stringify(path)} ${why}.`
    expect(await failureOf(gitHistory({ path }, { services }))).toBe(expected)
  })

  test('an encoded path is a name like any other, and there is none such', async () => {
    expect(await failureOf(readFile({ path: '%2e%2e/key.txt' }, { services }))).toMatch(
      /^NOT_FOUND/,
    )
  })
})

describe('search_text', () => {
  test('finds a text literally, in any case, with file and line, and not behind links', async () => {
    expect(await searchText({ text: 'LINE', glob: '*.md' }, { services })).toEqual({
      matches: [
        { path: 'readme.md', line: 3, text: 'First line' },
        { path: 'readme.md', line: 4, text: 'Second LINE' },
      ],
      filesSearched: 1,
      binaryFiles: 0,
      complete: true,
    })
    const literal = await searchText({ text: '(a+b)*' }, { services })
    expect(literal.matches).toEqual([
      { path: 'src/main.ts', line: 1, text: 'const answer = 42 // (a+b)*c' },
    ])
    expect(literal.binaryFiles).toBe(2)
    expect((await searchText({ text: 'secret' }, { services })).matches).toEqual([])
  })

  test('tells capital from small letters when asked to', async () => {
    const { matches } = await searchText({ text: 'LINE', matchCase: true }, { services })
    expect(matches.map(({ line }: { line: number }) => line)).toEqual([4])
  })

  test('shows of a long line what is around the match', async () => {
    const { matches } = await searchText({ text: 'needle', path: 'wide.txt' }, { services })
    expect(matches[0].text).toContain('needle')
    expect(matches[0].text.length).toBeLessThan(400)
  })

  test('says when matches were cut, and when only the start of a file was searched', async () => {
    const cut = await searchText({ text: 'line', path: 'long.txt', limit: 5 }, { services })
    expect(cut).toMatchObject({ complete: false, matches: { length: 5 } })
    expect(cut.note).toBe('Cut after 5 matches; narrow it down.')
    const part = await searchText({ text: 'start', path: 'big.txt' }, { services })
    expect(part.note).toBe('Of 1 large files only the start was read.')
  })
})

describe('git_history', () => {
  test('of a repository without commits is empty and says so', async () => {
    expect(await gitHistory({}, { services })).toEqual({
      commits: [],
      complete: true,
      note: 'No commits yet.',
    })
  })

  test('lists commits newest first, by path and from a revision, and says when it was cut', async () => {
    git(root, 'add', 'readme.md')
    git(root, 'commit', '-q', '--date=2026-03-01T10:00:00+01:00', '-m', 'Say hello')
    git(root, 'add', 'src')
    git(root, 'commit', '-q', '-m', 'Add the answer', '-m', 'It is 42.\nNobody knows why.')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'Nothing')
    const { commits } = await gitHistory({}, { services })
    expect(commits.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Nothing',
      'Add the answer',
      'Say hello',
    ])
    expect(commits[1]).toMatchObject({ author: 'Ada', body: 'It is 42.\nNobody knows why.' })
    expect(commits[2].date).toBe('2026-03-01T10:00:00+01:00')

    const ofFile = await gitHistory({ path: 'readme.md' }, { services })
    expect(ofFile.commits).toEqual([commits[2]])
    const cut = await gitHistory({ limit: 1 }, { services })
    expect(cut.note).toBe(`Cut after 1 commits; go on with revision "${commits[1].hash}".`)
    const rest = await gitHistory({ revision: commits[1].hash }, { services })
    expect(rest.commits).toEqual(commits.slice(1))
  })

  test.each(['nowhere', '--output=/tmp/x', '-p', 'main\0', 'HEAD:readme.md'])(
    'does not know the revision %j',
    async (revision) => {
      expect(await failureOf(gitHistory({ revision }, { services }))).toBe(
        `NOT_FOUND: The repository has no revision ${JSON.stringify(revision)}.`,
      )
    },
  )

  test('takes a path with pathspec magic as a plain name', async () => {
    expect((await gitHistory({ path: ':(top)readme.md' }, { services })).commits).toEqual([])
  })

  test('runs no program that the configuration of the repository names', async () => {
    const trap = join(above, 'trap.sh')
    const sprung = join(above, 'sprung')
    writeFileSync(trap, `#!/bin/sh\ntouch "${sprung}"\n`, { mode: 0o755 })
    const plain = git(root, 'cat-file', 'commit', 'HEAD')
    const signed = plain.replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n\n')
    writeFileSync(join(above, 'signed'), signed)
    const commit = git(root, 'hash-object', '-t', 'commit', '-w', join(above, 'signed')).trim()
    git(root, 'config', 'gpg.program', trap)
    git(root, 'config', 'core.fsmonitor', trap)
    git(root, 'config', 'log.showSignature', 'true')
    expect((await gitHistory({ revision: commit }, { services })).commits).toHaveLength(3)
    const left = await listFiles({}, { services: { root: above } })
    expect(left.entries).not.toContainEqual(expect.objectContaining({ path: 'sprung' }))
  })

  test('of a folder inside a repository is not the history of the repository around it', async () => {
    expect(await failureOf(gitHistory({}, { services: { root: join(root, 'src') } }))).toBe(
      'NOT_FOUND: The root is not a git repository, so it has no history.',
    )
  })
})

test.each([
  ['list_files', listFiles, {}],
  ['read_file', readFile, { path: 'readme.md' }],
  ['search_text', searchText, { text: 'x' }],
  ['git_history', gitHistory, {}],
])('%s ends with ABORTED when the call was given up', async (_, tool, input) => {
  const signal = AbortSignal.abort()
  expect(await failureOf(tool(input, { services, signal }))).toMatch(/^ABORTED/)
})

test.each([
  ['a.ts', '*.ts', true],
  ['src/a.ts', '*.ts', true],
  ['src/a.ts', 'src/*.ts', true],
  ['src/b/a.ts', 'src/*.ts', false],
  ['src/b/a.ts', 'src/**/*.ts', true],
  ['src/a.ts', 'src/**/*.ts', true],
  ['xsrc/a.ts', '**/src/a.ts', false],
  ['x/src/a.ts', '**/src/a.ts', true],
  ['src/a.ts', '**/src/a.ts', true],
  ['src/b/c', 'src/**', true],
  ['a.ts', '?.ts', true],
  ['ab.ts', '?.ts', false],
  ['a.ts', 'a.t', false],
  ['a+b(1).ts', 'a+b(1).ts', true],
  ['😀.ts', '?.ts', true],
])('%s fits the glob %s: %s', (path, pattern, expected) => {
  expect(fitsGlob(path, pattern)).toBe(expected)
})

test('a glob made to be slow is not', () => {
  expect(fitsGlob(`${'a'.repeat(3000)}b`, `${'*a'.repeat(99)}c`)).toBe(false)
  expect(fitsGlob(`${'a/'.repeat(1500)}b`, `${'**/'.repeat(60)}c`)).toBe(false)
})
