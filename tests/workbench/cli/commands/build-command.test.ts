import { execFileSync } from 'node:child_process'
import { lstat, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { main } from '../../../../src/workbench/cli/main.ts'
import { PROJECT } from '../../project/manifest/a-project.ts'
import { skillText, temporaryFolder, writeTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const manifestIn = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'loadout.manifest.json'), 'utf8')) as {
    readonly version: string
  }

test('a manifest and its provenance are written, and the text summarises it', async () => {
  const cwd = await temporaryFolder(PROJECT)
  const { code, stdout, stderr } = await runCommand(['build'], { cwd })
  expect(code).toBe(0)
  expect(
    stdout
      .replaceAll(cwd, '.')
      .replace(/sha256:\w+/, 'sha256:…')
      .replace(/\d+ tokens/, 'N tokens'),
  ).toMatchInlineSnapshot(`
    "Built ./loadout.manifest.json: 3 skills, 2 tools, 1 toolset, 1 agent, 1 rule, N tokens (o200k_base).
    version sha256:…
    gemini: 2 schema keywords in 2 tools cannot be sent as written; use --verbose to list them.
    "
  `)
  expect(stderr).not.toContain('Counting')
  const provenance = JSON.parse(
    await readFile(join(cwd, 'loadout.provenance.json'), 'utf8'),
  ) as object
  expect(provenance).toMatchObject({ version: (await manifestIn(cwd)).version, commit: null })
})

test('--json prints the same, and the changes since the last build', async () => {
  const cwd = await temporaryFolder(PROJECT)
  await runCommand(['build'], { cwd })
  await writeTree(cwd, { 'skills/beta/SKILL.md': skillText('beta') })
  await rm(join(cwd, 'skills/zeta'), { recursive: true })
  const { code, stdout } = await runCommand(['build', '--json'], { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    file: join(cwd, 'loadout.manifest.json'),
    counts: { skills: 3, tools: 2, toolsets: 1, agents: 1, rules: 1 },
    tokenizer: 'o200k_base',
    changes: [
      { kind: 'skill', name: 'beta', what: 'added' },
      { kind: 'skill', name: 'zeta', what: 'removed' },
    ],
    missing: [],
  })
})

test('a build of unchanged input does not write the file again', async () => {
  const cwd = await temporaryFolder(PROJECT)
  await runCommand(['build'], { cwd })
  const before = await stat(join(cwd, 'loadout.manifest.json'))
  const { stdout } = await runCommand(['build'], { cwd })
  const after = await stat(join(cwd, 'loadout.manifest.json'))
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
  expect(stdout).toContain('Nothing changed since the last build.')
})

test('with unreadable definitions nothing is written without --partial', async () => {
  const cwd = await temporaryFolder({ ...PROJECT, 'skills/bad/SKILL.md': '---\nname: [\n---\n' })
  const { code, stderr } = await runCommand(['build'], { cwd })
  expect(code).toBe(1)
  expect(stderr).toContain('nothing was written because of 1 problem; use --partial')
  expect(await readdir(cwd)).not.toContain('loadout.manifest.json')
  expect((await runCommand(['build', '--partial'], { cwd })).code).toBe(1)
  expect(await readdir(cwd)).toContain('loadout.manifest.json')
})

test.each([
  [['build', 'nowhere'], 'PATH_NOT_FOUND'],
  [['build', '--out', 'skills/alpha/m.json'], 'WRONG_USAGE'],
  [['build', '--what'], 'WRONG_USAGE'],
])('%j is wrong usage', async (argv, code) => {
  const cwd = await temporaryFolder(PROJECT)
  const { code: exit, stderr } = await runCommand([...argv, '--json'], { cwd })
  expect(exit).toBe(2)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code } })
})

/** A command line whose stderr is a terminal, or whose user interrupts it. */
function running(cwd: string, argv: readonly string[], isTTY: boolean) {
  const written = { stdout: '', stderr: '' }
  let interrupt = () => {}
  const interrupted = new Promise<void>((ready) => {
    interrupt = ready
  })
  const listeners: (() => void)[] = []
  const done = main(argv, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text), isTTY },
    stdin: Readable.from([]),
    env: {},
    cwd,
    home: null,
    trustFile: `${cwd}/node_modules/trust.json`,
    isTerminal: false,
    columns: 80,
    colour: false,
    onInterrupt: (listener) => {
      listeners.push(listener)
      interrupt()
      return () => {}
    },
    finish: async () => {},
  })
  return {
    written,
    done,
    waits: () => interrupted,
    interrupt: () => listeners.forEach((listener) => listener()),
  }
}

test('progress is shown on a terminal in one line, which is cleared', async () => {
  const cwd = await temporaryFolder(PROJECT)
  const { written, done } = running(cwd, ['build'], true)
  expect(await done).toBe(0)
  expect(written.stderr).toContain('Reading definitions…')
  expect(written.stderr).toContain('Counting tokens…')
  const lastLine = written.stderr.lastIndexOf('…')
  expect(written.stderr.lastIndexOf('\r\u001b[2K')).toBeGreaterThan(lastLine)
  expect(written.stderr.slice(0, lastLine)).not.toContain('\n')
})

test('--watch reports added, changed and removed definitions until an interrupt', async () => {
  const cwd = await temporaryFolder(PROJECT)
  const { written, done, waits, interrupt } = running(cwd, ['build', '--watch'], true)
  await waits()
  expect(written.stderr).toContain('Watching for changes. Press Ctrl-C to stop.\n')
  const told = async (text: string) => {
    await expect.poll(() => written.stdout).toContain(text)
  }
  await writeFile(join(cwd, 'skills/zeta/SKILL.md'), skillText('zeta', 'license: MIT\n'))
  await told('~ skill zeta\n')
  await writeTree(cwd, { 'skills/beta/SKILL.md': skillText('beta') })
  await told('+ skill beta\n')
  const { version } = await manifestIn(cwd)
  await writeFile(join(cwd, 'skills/beta/SKILL.md'), '---\nname: [\n---\n')
  await expect.poll(() => written.stderr).toContain('nothing was written')
  expect(written.stderr).toMatch(
    /loadout: \S+beta\/SKILL\.md:\d+:\d+: [^\n]+\n {2}[^\n]+\nloadout: nothing/u,
  )
  expect((await manifestIn(cwd)).version).toBe(version)
  await rm(join(cwd, 'skills/beta'), { recursive: true })
  await told('- skill beta\n')
  interrupt()
  expect(await done).toBe(0)
})

test('--watch reports when a broken definition is fixed, and when it breaks again', async () => {
  const cwd = await temporaryFolder(PROJECT)
  const { written, done, waits, interrupt } = running(cwd, ['build', '--watch'], false)
  await waits()
  const zeta = join(cwd, 'skills/zeta/SKILL.md')
  const isTold = async (times: number, healed: number) => {
    await expect
      .poll(() => [
        written.stderr.split('nothing was written').length - 1,
        written.stdout.split('can be read again').length - 1,
      ])
      .toEqual([times, healed])
  }
  for (const times of [1, 2]) {
    await writeFile(zeta, '---\nname: [\n---\n')
    await isTold(times, times - 1)
    await writeFile(zeta, skillText('zeta'))
    await isTold(times, times)
  }
  interrupt()
  expect(await done).toBe(0)
})

test('an edited manifest is overwritten, without a list of changes', async () => {
  const cwd = await temporaryFolder(PROJECT)
  const out = join(cwd, 'loadout.manifest.json')
  await runCommand(['build'], { cwd })
  const edited = { ...(await manifestIn(cwd)), skills: [{ name: 'alpha', tools: [null] }] }
  await writeFile(out, JSON.stringify({ ...edited, version: `sha256:${'0'.repeat(64)}` }))
  const { code, stdout } = await runCommand(['build', '--json'], { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, changes: null })
})

test('provenance is written again if it is missing or belongs to another build', async () => {
  const cwd = await temporaryFolder(PROJECT)
  const beside = join(cwd, 'loadout.provenance.json')
  await runCommand(['build'], { cwd })
  const { version } = await manifestIn(cwd)
  await rm(beside)
  await runCommand(['build'], { cwd })
  expect(JSON.parse(await readFile(beside, 'utf8'))).toMatchObject({ version })
  await writeFile(beside, '{}')
  await runCommand(['build'], { cwd })
  expect(JSON.parse(await readFile(beside, 'utf8'))).toMatchObject({ version })
})

test.skipIf(process.platform === 'win32')(
  'a pipe or a device is neither waited for nor replaced',
  async () => {
    const cwd = await temporaryFolder(PROJECT)
    const pipe = join(cwd, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const words of [
      ['build', '--out', 'pipe'],
      ['lock', '--out', 'pipe'],
      ['lock', '--check', '--out', 'pipe'],
    ]) {
      const { code, stderr } = await runCommand(words, { cwd })
      expect([code, stderr]).toEqual([1, expect.stringContaining('pipe')])
    }
    const compared = await runCommand(['diff', 'pipe', '.'], { cwd })
    expect([compared.code, compared.stderr]).toEqual([2, expect.stringContaining('named pipe')])
    expect((await stat(pipe)).isFIFO()).toBe(true)
  },
)

test('a symbolic link to the manifest stays a link', async () => {
  const cwd = await temporaryFolder(PROJECT)
  await symlink('real.json', join(cwd, 'loadout.manifest.json'))
  await writeFile(join(cwd, 'real.json'), '')
  await runCommand(['build'], { cwd })
  expect((await lstat(join(cwd, 'loadout.manifest.json'))).isSymbolicLink()).toBe(true)
  expect(await readFile(join(cwd, 'real.json'), 'utf8')).toContain('"format"')
})

test('--out creates missing folders, and takes a folder', async () => {
  const cwd = await temporaryFolder({ 'skills/alpha/SKILL.md': skillText('alpha') })
  const written = async (out: string) => {
    const { stdout } = await runCommand(['build', 'skills', '--out', out, '--json'], { cwd })
    return (JSON.parse(stdout) as { file: string }).file
  }
  expect(await written('new/deep/m.json')).toBe(join(cwd, 'new/deep/m.json'))
  expect(await written('new/')).toBe(join(cwd, 'new/loadout.manifest.json'))
  expect(await written('other/')).toBe(join(cwd, 'other/loadout.manifest.json'))
})
