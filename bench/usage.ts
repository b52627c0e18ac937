import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { writeTranscript } from './write-transcript.ts'

/** The scripted sessions of the tests, and the figures that were planted in them. No public name has them. */
const TESTS = '../tests/workbench/report/usage'
const { plantSessions } = await import(`${TESTS}/planted-sessions.ts`)
const { transcriptPath, writeSession } = await import(`${TESTS}/write-sessions.ts`)
const { expectedUsage, reportedUsage } = await import(`${TESTS}/expected-usage.ts`)

const SESSIONS = 200
const FILES = 100
const BYTES = 1_000_000_000

const folder = mkdtempSync(join(tmpdir(), 'loadout-usage-'))

/** Runs `loadout report` over a folder in a process; after so many milliseconds it is killed. */
function report(logs: string, argv: readonly string[], timeout?: number) {
  const command = join(import.meta.dirname, '../bin/loadout.js')
  const start = performance.now()
  const run = spawnSync(process.execPath, [command, 'report', logs, ...argv], {
    env: { HOME: folder, PATH: process.env['PATH'] },
    encoding: 'utf8',
    maxBuffer: 1e9,
    killSignal: 'SIGKILL',
    ...(timeout !== undefined && { timeout }),
  })
  return { ...run, seconds: Math.round(performance.now() - start) / 1_000 }
}

/** Prints how many of the planted figures a report has. */
function compareFigures(): void {
  const logs = join(folder, 'planted')
  const planted = plantSessions(1, SESSIONS)
  for (const one of planted) {
    const file = join(logs, transcriptPath(one))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, writeSession(one))
  }
  const expected = figures(expectedUsage(planted, (text: string) => countTokens(text)))
  const { stdout, seconds } = report(logs, ['--json'])
  const found = figures(reportedUsage(JSON.parse(stdout)))
  const wrong = [...new Set([...expected.keys(), ...found.keys()])].filter(
    (name) => !isDeepStrictEqual(expected.get(name), found.get(name)),
  )
  process.stdout.write(
    `${SESSIONS} sessions: ${expected.size - wrong.length} of ${expected.size} planted figures equal, in ${seconds} s\n`,
  )
  for (const name of wrong) process.stdout.write(`  ${name} differs\n`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

/** Returns each figure of a value under its path. */
function figures(value: unknown, path = '', found = new Map<string, unknown>()) {
  if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) figures(one, `${path}/${name}`, found)
  else found.set(path, value)
  return found
}

/** Prints the time for 1 GB, interrupted and resumed, and for a second run. */
async function measureTime(): Promise<void> {
  const logs = join(folder, 'large')
  mkdirSync(logs)
  for (let at = 0; at < FILES; at += 1)
    await writeTranscript(join(logs, `${at}.jsonl`), BYTES / FILES, `session-${at}`)
  const whole = report(logs, [])
  const again = report(logs, [])
  rmSync(join(folder, '.local'), { recursive: true })
  report(logs, [], Math.round(whole.seconds * 500))
  const kept = readdirSync(join(folder, '.local/state/loadout/usage')).length
  const resumed = report(logs, [])
  process.stdout.write(
    `1 GB in ${FILES} transcripts: ${whole.seconds} s; a second run ${again.seconds} s; killed halfway with ${kept} kept, then ${resumed.seconds} s, ${resumed.stdout === whole.stdout ? 'the same report' : 'ANOTHER REPORT'}\n`,
  )
}

try {
  compareFigures()
  await measureTime()
} finally {
  rmSync(folder, { recursive: true })
}
