import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, utimes, watch, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { o200kCounter } from '../../../src/entries/plan.ts'
import { newRecording } from '../../../src/workbench/cli/opening/new-recording.ts'
import { expectedUsage, reportedUsage } from '../report/usage/expected-usage.ts'
import { type PlantedSession, plantSessions } from '../report/usage/planted-sessions.ts'
import { transcriptPath, writeSession } from '../report/usage/write-sessions.ts'
import { temporaryFolder, writeTree } from '../project/temporary-folder.ts'

const BIN = join(import.meta.dirname, '../../../bin/loadout.js')

/** Writes the transcripts of sessions below a folder. */
async function write(folder: string, sessions: readonly PlantedSession[]): Promise<void> {
  const files = sessions.map((one) => [transcriptPath(one), writeSession(one)] as const)
  await writeTree(folder, Object.fromEntries(files))
}

/** A folder with a home of its own, in which `loadout report` runs. */
async function aHome(sessions: readonly PlantedSession[] = []) {
  const cwd = await temporaryFolder()
  await write(join(cwd, 'logs'), sessions)
  const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, 'state'), PATH: process.env['PATH'] ?? '' }
  const usage = join(cwd, 'state/loadout/usage')
  const report = async (argv: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, [BIN, 'report', ...argv], {
      cwd,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { code: child.exitCode, stdout, stderr }
  }
  const json = async (...argv: readonly string[]) =>
    JSON.parse((await report([...argv, '--json'])).stdout)
  return { cwd, env, usage, report, json, logs: join(cwd, 'logs') }
}

test('a report over sessions has the planted figures, as text, JSON and a page', async () => {
  const planted = plantSessions(21, 9)
  const { report, json } = await aHome(planted)
  const { count } = await o200kCounter()
  const totals = await json('logs')
  expect(reportedUsage(totals)).toEqual(expectedUsage(planted, count))
  const shown = await report(['logs'])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^9 sessions \(claude-code 6, codex 3\) from 2026-11-01/)
  expect(shown.stdout).toMatch(/\nmail-digest +dead +0 of 9 /)
  const page = (await report(['logs', '--snapshot', 'html'])).stdout
  expect(page).toContain('default-src &#39;none&#39;; style-src')
  expect(page).not.toContain('<script')
  expect(page).toContain('<summary>mail-digest</summary>')
})

test('without paths, the sessions of all agents in the folder are reported, and no others', async () => {
  const { cwd, report, json } = await aHome()
  expect(await report([])).toMatchObject({ code: 0, stdout: 'No session was found.\n', stderr: '' })
  const planted = plantSessions(5, 6)
  for (const one of planted) {
    const root = one.client === 'codex' ? '.codex' : '.claude'
    const written = writeSession(one).replaceAll('"cwd":"/project"', `"cwd":"${cwd}/below"`)
    await writeTree(join(cwd, root), { [transcriptPath(one)]: written })
  }
  await write(join(cwd, '.claude'), plantSessions(6, 20).slice(-1))
  const recording = await newRecording(cwd, join(cwd, 'state/loadout'))
  const [recorded] = plantSessions(30, 1).map(writeSession)
  const said = recorded?.replaceAll('"/project"', JSON.stringify(cwd)).replaceAll('planted-0', 'r')
  await mkdir(dirname(recording), { recursive: true })
  await writeFile(recording, said ?? '')
  expect(await json('recording')).toMatchObject({ sessions: 1 })
  expect(await json()).toMatchObject({ sessions: 7 })
  expect(await json('claude-code')).toMatchObject({ sessions: 4 + 1 })
  expect(await json('claude-code', '--project', 'below')).toMatchObject({ sessions: 4 })
  expect(await json('--project', '/project')).toMatchObject({ sessions: 1 })
})

test('sessions before a date are left out', async () => {
  const planted = plantSessions(5, 20)
  const { json } = await aHome(planted)
  const since = planted[12]?.requests[0]?.at ?? 0
  const { sessions } = await json('logs', '--since', new Date(since).toISOString())
  expect(sessions).toBe(8)
})

test.each([
  [['nowhere'], '"nowhere" does not exist.'],
  [['--since', 'yesterday'], 'Give a date, such as 2026-11-01.'],
  [['--snapshot', 'pdf'], 'Allowed choices are html.'],
])('%j is refused', async (argv, message) => {
  const { report } = await aHome()
  const { code, stdout, stderr } = await report(argv)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})

test('a file that is no transcript is one line, and does not stop the others', async () => {
  const { logs, report } = await aHome(plantSessions(1, 2))
  await writeTree(logs, { 'broken.jsonl': '{"a":1}\nnot json\n', 'other.db': 'SQLite format 3\0' })
  const { code, stdout, stderr } = await report(['logs'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^2 sessions/)
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^not read: .*broken\.jsonl/),
    expect.stringMatching(/^not read: .*other\.db/),
  ])
  expect(await report(['logs/broken.jsonl'])).toMatchObject({ code: 1 })
})

test('a file that has not changed is not read again, and one that has is', async () => {
  const planted = plantSessions(8, 2)
  const { logs, json } = await aHome(planted)
  const [one = '', other = ''] = planted.map((session) => join(logs, transcriptPath(session)))
  const { size } = await stat(one)
  await utimes(one, 1_000, 1_000)
  const first = await json('logs')
  await writeFile(one, 'x'.repeat(size))
  await utimes(one, 1_000, 1_000)
  expect(await json('logs')).toEqual(first)
  await writeFile(other, 'x')
  expect(await json('logs')).toMatchObject({ sessions: 1, failures: [{ log: other }] })
})

test('a report that was killed goes on from what it has read', async () => {
  const planted = plantSessions(13, 40)
  const { cwd, env, usage, logs, json } = await aHome(planted)
  await mkdir(usage, { recursive: true })
  const changes = watch(usage)
  const child = spawn(process.execPath, [BIN, 'report', 'logs'], { cwd, env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  for await (const { filename } of changes) if (filename?.endsWith('.json')) break
  child.kill('SIGKILL')
  await ended
  for (const name of (await readdir(usage)).filter((one) => one.endsWith('.json')))
    expect(JSON.parse(await readFile(join(usage, name), 'utf8'))).toHaveProperty('sessions')
  const fresh = await aHome(planted)
  const resumed = await json(logs)
  expect(resumed).toEqual(await fresh.json('logs'))
  expect(resumed.sessions).toBe(40)
})

test('secrets in messages are neither kept nor printed', async () => {
  const secrets = [
    'sk-ant-api03-0123456789abcdefghij',
    'hunter2-of-the-shop',
    'correct-horse-battery',
  ]
  const said = `Use ${secrets[0]} and ${secrets[1]}, SHOP_PASSWORD=${secrets[2]}.`
  const planted = plantSessions(2, 1).map((one) => ({
    ...one,
    requests: one.requests.map((request) =>
      request.said === null ? request : { ...request, said: `${request.said} ${said}` },
    ),
  }))
  const { report, usage } = await aHome(planted)
  const { stdout } = await report(['logs', '--json'], { SHOP_KEY: secrets[1] ?? '' })
  expect(stdout).toContain('"sessions": 1')
  const names = await readdir(usage)
  expect(names).toHaveLength(1)
  const kept = join(usage, names[0] ?? '')
  expect((await stat(kept)).mode & 0o777).toBe(0o600)
  const summary = await readFile(kept, 'utf8')
  expect(summary).toContain('[redacted]')
  for (const secret of secrets) expect(summary + stdout).not.toContain(secret)
})

test('names and messages of others cannot write to the terminal, or into the page', async () => {
  const hostile = '\u001b[31m<img src=x onerror=alert(1)>\u202e'
  const planted = plantSessions(4, 1).map(writeSession).join('')
  const { logs, report } = await aHome()
  const written = planted
    .replaceAll('mcp__maps__draw', 'Read')
    .replaceAll(
      'Draw the seating plans',
      `${JSON.stringify(hostile).slice(1, -1)} Draw the seating plans`,
    )
    .replaceAll('invoice-audit', JSON.stringify(`invoice${hostile}`).slice(1, -1))
  await writeTree(logs, { 'hostile.jsonl': written })
  const shown = await report(['logs'])
  expect(shown.stdout).toContain('<img src=x')
  for (const sign of ['\u001b', '\u202e']) expect(shown.stdout + shown.stderr).not.toContain(sign)
  const page = await report(['logs', '--snapshot', 'html'])
  expect(page.stdout).not.toContain('<img')
})
