import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPostgres, type PostgresServer } from '../../../../scripts/start-postgres.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
}

let server: PostgresServer
let admin: pg.Pool
/** The address of the server with a password in it, and the password. */
let address: string
const PASSWORD = 'sesame-4711'

beforeAll(async () => {
  server = await startPostgres()
  admin = new pg.Pool({ connectionString: server.url })
  // The server may stop before a connection has ended.
  admin.on('error', () => {})
  admin.on('connect', (client) => client.on('error', () => {}))
  await admin.query(`CREATE ROLE ada LOGIN SUPERUSER PASSWORD '${PASSWORD}'`)
  const url = new URL(server.url)
  url.username = 'ada'
  url.password = PASSWORD
  address = url.href
})

beforeEach(() => admin.query('DROP SCHEMA IF EXISTS loadout CASCADE'))

afterAll(async () => {
  await admin.end()
  await server.stop()
})

async function aProject() {
  const cwd = await temporaryFolder(TREE)
  const run = (...argv: string[]) => runCommand(argv, { cwd, env: { LOADOUT_LOG: address } })
  return { cwd, run }
}

const schemas = async () =>
  (await admin.query(`SELECT FROM pg_namespace WHERE nspname = 'loadout'`)).rowCount

test.each<{ argv: readonly string[]; code: number }>([
  { argv: ['sessions'], code: 0 },
  { argv: ['sessions', 'show', 'latest'], code: 2 },
  { argv: ['sessions', 'export', 'latest', '--json'], code: 2 },
  { argv: ['sessions', 'delete', 'latest'], code: 2 },
  { argv: ['sessions', 'fork', 'latest@1'], code: 2 },
  { argv: ['replay', 'latest', '--path', 'skills'], code: 2 },
  { argv: ['diff', 'latest@1', 'latest'], code: 2 },
  { argv: ['why', 'echo', 'skills', '--session', 'latest'], code: 2 },
])('$argv on a server without a log makes nothing there', async ({ argv, code }) => {
  const { run } = await aProject()
  const ended = await run(...argv)
  expect(await schemas()).toBe(0)
  expect(ended.stdout + ended.stderr).not.toContain(PASSWORD)
  expect(ended.stderr).not.toContain('internal')
  expect(ended.code).toBe(code)
})

test('a session on a server is created, listed, shown, forked, compared, replayed, exported and deleted', async () => {
  const { cwd, run } = await aProject()
  const told: string[] = []
  const ok = async (...argv: string[]) => {
    const { code, stdout, stderr } = await run(...argv)
    told.push(stdout, stderr)
    expect({ argv, code, stderr }).toMatchObject({ argv, code: 0 })
    return stdout
  }
  await ok('activate', 'alpha', 'skills', '--trust', '--session', 'first')
  expect(await ok('sessions')).toContain('first    3')
  const shown = JSON.parse(await ok('sessions', 'show', 'first', '--json'))
  expect(shown).toMatchObject({ session: 'first', damage: null })
  expect(await ok('sessions', 'fork', 'first@1', '--as', 'other')).toContain('other')
  expect(await ok('replay', 'first', '--at', '2')).toContain('active skills: alpha')
  expect(await ok('why', 'echo', 'skills', '--trust', '--session', 'first')).toContain('echo')
  const diff = await run('diff', 'first@1', 'first@2', '--json')
  expect({ code: diff.code, ...JSON.parse(diff.stdout) }).toMatchObject({ code: 1, same: false })
  await ok('sessions', 'export', 'first', '--out', 'first.jsonl')
  expect(await readFile(join(cwd, 'first.jsonl'), 'utf8')).toMatch(/^\{"loadout":"log"/)
  await ok('sessions', 'import', 'first.jsonl', '--as', 'third')
  await ok('sessions', 'delete', 'first', 'other')
  expect(await ok('sessions')).toMatch(/^SESSION.*\nthird .*\n$/)
  expect(told.join('')).not.toContain(PASSWORD)
})

test('what init writes is played on a server, one move in each process', async () => {
  const { cwd } = await aProject()
  const env = { LOADOUT_LOG: address, XDG_STATE_HOME: join(cwd, 'state') }
  const run = (...argv: string[]) => runCommand(argv, { cwd, env })
  await run('init', 'mine')
  const words = ['run', '--trust', '--session', 'played', '--json', '--print', 'next']
  const scenario = ['--scenario', 'mine/scenarios/text-length.scenario.yaml']
  const made: string[] = []
  for (const _ of [1, 2, 3]) {
    const { code, stdout } = await run(...words, ...scenario)
    expect(code).toBe(0)
    const calls = stdout.matchAll(/"call.ended".*"tool":"(\w+)","ok":(\w+)/gu)
    made.push(...calls.map(([, tool, ok]) => `${tool} ${ok}`))
  }
  expect(made).toEqual(['measure_text false', 'loadSkill true', 'measure_text true'])
  await run('sessions', 'delete', 'played')
})

test('messages of a session on a server are in a folder of the user, and deleted with its sessions only', async () => {
  const { cwd } = await aProject()
  const state = join(cwd, 'state')
  const run = (log: string, ...argv: string[]) =>
    runCommand(argv, { cwd, env: { LOADOUT_LOG: log, XDG_STATE_HOME: state } })
  const words = ['run', 'skills', '--trust', '--session', 'first', '--print', 'echo']
  const { stderr } = await run(address, ...words)
  expect(stderr).toContain('Created the session "first"')
  const folders = await readdir(join(state, 'loadout'))
  expect(folders).toEqual([expect.stringMatching(/^postgres-[0-9a-f]{16}\.chats$/)])
  const chats = join(state, 'loadout', folders[0] ?? '')
  expect(await readdir(chats)).toHaveLength(1)

  await run('', ...words)
  await run('', 'sessions', 'prune', '--older-than', '0h')
  await run(address, 'sessions', 'prune')
  expect(await readdir(chats)).toHaveLength(1)
  await run(address, 'sessions', 'prune', '--older-than', '0h')
  expect(await readdir(chats)).toEqual([])
  expect(await readdir(cwd)).not.toContain('postgres:')
})

test.each([
  { argv: (log: string) => ['diff', log, `${log}@1`, '--json'] },
  { argv: (log: string) => ['diff', `${log}@99`, log] },
  { argv: (log: string) => ['diff', `${log}@99`, log, '--json'] },
  { argv: (log: string) => ['replay', `${log}@99`] },
  { argv: (log: string) => ['replay', log, 'no-such-path'] },
  { argv: (log: string) => ['sessions', 'show', log, '--log', log] },
  { argv: (log: string) => ['sessions', 'show', `${log}@99`, '--json'] },
  { argv: (log: string) => ['sessions', 'repair', '--log', log] },
  { argv: (log: string) => ['sessions', 'list', log, '--log', log] },
  { argv: (log: string) => ['sessions', 'list', log.replace(PASSWORD, `x${PASSWORD}`)] },
  {
    argv: (log: string) => ['sessions', 'list', log.replace(/\/[^/]*$/, `/none-${'x'}`), '--json'],
  },
  { argv: (log: string) => ['sessions', 'list', log.replace('@', '@@')] },
  {
    argv: (log: string) => [
      'activate',
      'alpha',
      'skills',
      '--log',
      log,
      '--session',
      's',
      '--json',
    ],
  },
  { argv: (log: string) => ['play', 'skills', '--log', log, '--at', '99'] },
  { argv: (log: string) => [log] },
  { argv: (log: string) => ['sessions', log] },
])('a URL on the command line is printed without its password: $argv', async ({ argv }) => {
  const { run } = await aProject()
  await run('activate', 'alpha', 'skills', '--trust', '--session', 'first')
  const { stdout, stderr } = await run(...argv(address))
  expect(stdout + stderr).not.toBe('')
  expect(stdout + stderr).not.toContain(PASSWORD)
})
