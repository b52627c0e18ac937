import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../start-postgres.ts'
import { openSharedLog, type SharedLog } from './many-writers.ts'
import type { TorturePart } from './torture-part.ts'
import type { Entry } from '../../src/engine/model/workspace-event.ts'

const PROCESSES = 8

const CALLS = 400

const CHILD = fileURLToPath(new URL('./call-in-child.ts', import.meta.url))

/** Many processes call tools in one session at once: each append loses to the others again and again. */
export const racingCalls: TorturePart = {
  name: 'calls',
  claim:
    'Of calls that many processes make in one session at once, each is made, once, and its end is recorded.',
  async run({ scale, forMs }) {
    const began = performance.now()
    const each = Math.ceil(CALLS * scale)
    const figures: Record<string, number | string> = { processes: PROCESSES, 'calls of each': each }
    const failures: string[] = []
    let done = 0
    const record = (kind: SharedLog, found: Found): void => {
      figures[`${kind}: calls made and recorded`] = found.recorded
      figures[`${kind}: calls a second`] = Math.round(found.recorded / found.seconds)
      failures.push(...found.failures.map((failure) => `${kind}: ${failure}`))
      done += found.recorded / (2 * PROCESSES * each)
    }
    const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
    try {
      record('sqlite', await race('sqlite', join(folder, 'log'), each, forMs / 2))
    } finally {
      rmSync(folder, { recursive: true })
    }
    const server = await startPostgres()
    try {
      const leftMs = began + forMs - performance.now()
      record('postgres', await race('postgres', server.url, each, leftMs))
    } finally {
      await server.stop()
    }
    return { figures, failures, done }
  },
}

interface Found {
  readonly recorded: number
  readonly failures: readonly string[]
  readonly seconds: number
}

async function race(kind: SharedLog, at: string, each: number, forMs: number): Promise<Found> {
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: PROCESSES }, () => answersOf(kind, at, each, forMs)),
  )
  const seconds = (performance.now() - began) / 1_000
  const log = await openSharedLog(kind, at)
  const entries = await log.read('s1')
  await log.close()
  const made = answers.flat()
  const failures = made.flatMap((answer) => (answer.startsWith('ok ') ? [] : [answer]))
  const calls = new Set(made.map((answer) => answer.slice('ok '.length)))
  const recorded = [...calls].filter((call) => isRecordedOnce(entries, call)).length
  if (recorded !== made.length) failures.push(`${recorded} of ${made.length} calls are recorded`)
  return { recorded, failures, seconds }
}

/** Runs one process, and returns what it says of each call: `ok` and its id, or its error. */
async function answersOf(
  kind: SharedLog,
  at: string,
  count: number,
  forMs: number,
): Promise<readonly string[]> {
  const until = performance.now() + forMs
  const args = [CHILD, '--log', kind, '--at', at, '--count', `${count}`, `--for=${forMs}`]
  const { stdout } = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  for await (const line of createInterface({ input: stdout })) lines.push(line)
  const isCutShort = lines.length < count && performance.now() < until
  return isCutShort ? [...lines, `a process ended after ${lines.length} calls`] : lines
}

function isRecordedOnce(entries: readonly Entry[], call: string): boolean {
  const types = entries.flatMap(({ event }) =>
    'call' in event && event.call === call ? [event.type] : [],
  )
  return types.join() === 'call.started,call.ended'
}
