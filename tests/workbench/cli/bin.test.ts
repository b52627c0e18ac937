import { spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder, toolTree } from '../project/temporary-folder.ts'
import { WORKBENCH } from './workbench.ts'

const BIN = join(import.meta.dirname, '../../../bin/loadout.js')

/** Start the command as a user would, with a home of its own. */
function start(cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const home = { HOME: cwd, XDG_CONFIG_HOME: join(cwd, 'node_modules/config') }
  return spawn(process.execPath, [BIN, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'], ...home, ...env },
  })
}

async function run(cwd: string, argv: readonly string[], input = '') {
  const child = start(cwd, argv)
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

const handler = (name: string, code: string) => toolTree(`skills/alpha/tools/${name}`, code)
const tree = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...handler('echo', 'export const execute = ({ text }) => text\n'),
  ...handler('chatty', "export const execute = () => { console.log('chat'); return 1 }\n"),
  ...handler('busy', 'export const execute = () => { setInterval(() => {}, 1000); return 1 }\n'),
  ...handler(
    'hangs',
    "export const execute = () => { console.log('started'); return new Promise(() => {}) }\n",
  ),
  ...handler(
    'stray',
    `export const execute = () => {
      setTimeout(() => Promise.reject(new Error('stray')))
      return new Promise((resolve) => setTimeout(resolve, 60_000))
    }\n`,
  ),
}
const call = (tool: string, ...more: string[]) => {
  return ['call', tool, '--trust', '--activate', 'alpha', ...more]
}

test('the command answers on stdout with its exit code, piped', async () => {
  const cwd = await temporaryFolder(tree)
  expect(await run(cwd, call('echo', '--args-json', '{"text":"hi"}'))).toEqual({
    code: 0,
    stdout: 'hi\n',
    stderr: '',
  })
  expect(await run(cwd, call('echo', '--args-json', '-'), '{"text":"in"}')).toMatchObject({
    stdout: 'in\n',
  })
  expect(await run(cwd, call('nothing', '--json'))).toMatchObject({ code: 1, stderr: '' })
  expect(await run(cwd, ['promt', '--json'])).toMatchObject({ code: 2, stdout: '' })
})

test('without a terminal the overview is printed and the command ends', async () => {
  const { code, stdout, stderr } = await run(await temporaryFolder(), [WORKBENCH, '--trust'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('data-analysis')
  expect(stdout).toContain('query_table')
  expect(stdout).toContain('┌─ Skill catalog ─')
})

test('trust is stored between runs', async () => {
  const cwd = await temporaryFolder(tree)
  const once = ['call', 'echo', '--activate', 'alpha', '--args-json', '{"text":"hi"}']
  expect(await run(cwd, once)).toMatchObject({ code: 1 })
  expect(await run(cwd, ['trust', 'skills'])).toMatchObject({ code: 0 })
  expect(await run(cwd, once)).toMatchObject({ code: 0, stdout: 'hi\n' })
})

test('a closed pipe ends the command quietly', async () => {
  const cwd = await temporaryFolder({
    'skills/long/SKILL.md': `${skillText('long')}${'A long line of text.\n'.repeat(40_000)}`,
  })
  const child = start(cwd, ['prompt', '--activate', 'long'])
  const stderr = text(child.stderr)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = (await once(child, 'close')) as [number | null]
  expect({ code, stderr: await stderr }).toEqual({ code: 0, stderr: '' })
})

test.skipIf(!existsSync('/dev/full'))('a full disk behind stdout is an error', async () => {
  const cwd = await temporaryFolder(tree)
  const full = createWriteStream('/dev/full')
  await once(full, 'open')
  const child = spawn(process.execPath, [BIN, 'prompt', '--trust'], {
    cwd,
    stdio: ['ignore', full, 'pipe'],
  })
  const [stderr, [code]] = await Promise.all([
    text(child.stderr ?? []),
    once(child, 'close') as Promise<[number | null]>,
  ])
  full.destroy()
  expect(code).toBe(1)
  expect(stderr).toMatch(/^loadout: system error: ENOSPC/)
})

test('output of handlers goes to stderr, and their background work ends with the command', async () => {
  const cwd = await temporaryFolder(tree)
  const chatty = await run(cwd, call('chatty', '--json'))
  expect(JSON.parse(chatty.stdout)).toMatchObject({ ok: true, data: 1 })
  expect(chatty.stderr).toBe('chat\n')
  expect(await run(cwd, call('busy'))).toEqual({ code: 0, stdout: '1\n', stderr: '' })
})

test('an unhandled rejection is reported, with --json as one object', async () => {
  const cwd = await temporaryFolder(tree)
  const plain = await run(cwd, call('stray'))
  expect(plain).toMatchObject({ code: 1, stdout: '' })
  expect(plain.stderr).toMatch(/^loadout: internal error: stray\n/)
  const json = await run(cwd, call('stray', '--json'))
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'INTERNAL' } })
})

const READS = '--allow-fs-read=*'
/** The package and nothing else. */
const OWN = `--allow-fs-read=${join(BIN, '../..')}`

test.each([
  { flags: [READS], argv: ['build'], says: /write ".*loadout\.manifest\.json.*"/u },
  { flags: [READS], argv: ['lock'], says: /write "/u },
  { flags: [READS], argv: ['trust', '.', '--yes'], says: /write "/u },
  { flags: [READS], argv: ['init', 'other'], says: /write "/u },
  { flags: [READS], argv: ['activate', 'alpha', '--log', 'run.sqlite'], says: /write "/u },
  { flags: [READS], argv: ['export', 'skills', 'out'], says: /write "/u },
  { flags: [READS], argv: ['add', 'https://127.0.0.1:9/x.git'], says: /write "/u },
  {
    flags: [READS, '--allow-fs-write=*'],
    argv: ['add', 'https://127.0.0.1:9/x.git'],
    says: /start the program/u,
  },
  { flags: [OWN], argv: ['list'], says: /read "/u },
  { flags: [OWN], argv: ['sessions', 'list'], says: /read "/u },
])('under $flags, $argv says what Node does not allow', async ({ flags, argv, says }) => {
  const cwd = await temporaryFolder(tree)
  const words = ['--permission', ...flags, BIN, ...argv, '--json']
  const options = {
    cwd,
    env: { ...process.env, HOME: cwd, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' },
  }
  const child = spawn(process.execPath, words, options)
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
  const line = stderr.split('\n').find((one) => one.startsWith('{"error"'))
  expect(JSON.parse(line ?? '')).toEqual({
    error: {
      code: 'NODE_PERMISSION',
      message: expect.stringMatching(says),
      hint: expect.stringContaining('Start Node with --allow-'),
    },
  })
})

test('a folder is trusted under the permission model of Node', async () => {
  const cwd = await temporaryFolder(tree)
  const flags = ['--permission', READS, '--allow-fs-write=*']
  const options = { cwd, env: { ...process.env, HOME: cwd, XDG_CONFIG_HOME: '' } }
  const child = spawn(process.execPath, [...flags, BIN, 'trust', '.', '--yes'], options)
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(child.exitCode).toBe(0)
  expect(stdout).toContain('Trusted')
})

test('an interrupt ends the call, and the log contains its end', async () => {
  const cwd = await temporaryFolder(tree)
  const child = start(cwd, call('hangs', '--json', '--log', 'run.sqlite'))
  const stdout = text(child.stdout)
  const [said] = (await once(child.stderr, 'data')) as [Buffer]
  expect(said.toString()).toBe('started\n')
  child.kill('SIGINT')
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code).toBe(1)
  expect(JSON.parse(await stdout)).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
  const replay = await run(cwd, ['replay', '--log', 'run.sqlite', '--trust'])
  expect(replay.stdout).toContain('failed with ABORTED')
})

test.each(['--version', 'lint', 'list --json'])(
  'a deleted working directory is one clear error: %s',
  async (argv) => {
    const cwd = await temporaryFolder()
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"`
    const child = spawn('sh', ['-c', script, process.execPath, BIN, ...argv.split(' ')], { cwd })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      argv.endsWith('--json')
        ? '{"error":{"code":"WORKING_FOLDER_GONE","message":"The working directory no longer exists.","hint":"Change to another one, with cd."}}\n'
        : 'loadout: The working directory no longer exists.\nChange to another one, with cd.\n',
    )
  },
)
