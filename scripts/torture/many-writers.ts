import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../start-postgres.ts'
import { createDice, type TorturePart } from './torture-part.ts'
import { openSessionsLog } from '../../src/connections/logs/postgres/open-postgres-log.ts'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import type { Entry } from '../../src/engine/model/workspace-event.ts'
import type { EventLog } from '../../src/workspace/log/event-log.ts'

const WRITERS = 8

const APPENDS = 10_000

const RESTARTS = 20

const CHILD = fileURLToPath(new URL('./write-in-child.ts', import.meta.url))

/** Many processes write to one session, while its server is killed again and again. */
export const manyWriters: TorturePart = {
  name: 'writers',
  claim:
    'Processes that append to one session at once, over crashes of their server, lose and double nothing.',
  async run({ seed, scale, forMs }) {
    const began = performance.now()
    const each = Math.ceil(APPENDS * scale)
    const restarts = Math.max(1, Math.round(RESTARTS * scale))
    const figures: Record<string, number | string> = { processes: WRITERS, 'appends of each': each }
    const failures: string[] = []
    let [done, restarted] = [0, 0]
    for (const kind of SHARED_LOGS) {
      const leftMs = began + forMs - performance.now()
      const found = await (kind === 'sqlite'
        ? onSqlite(each, leftMs / 2)
        : onPostgres(each, leftMs, restarts, seed))
      done += found.entries / (SHARED_LOGS.length * WRITERS * each)
      restarted += found.restarted
      figures[`${kind}: entries`] = found.entries
      figures[`${kind}: entries lost, doubled or moved`] = found.failures.length
      figures[`${kind}: appends a second`] = Math.round(found.entries / found.seconds)
      failures.push(...found.failures.map((failure) => `${kind}: ${failure}`))
    }
    figures['PostgreSQL killed and started again'] = restarted
    return { figures, failures, done }
  },
}

interface Found {
  readonly entries: number
  readonly failures: readonly string[]
  readonly seconds: number
}

interface Restarted extends Found {
  /** The number of times that its server was killed and started again. */
  readonly restarted: number
}

async function onSqlite(each: number, forMs: number): Promise<Restarted> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
  try {
    const found = await write('sqlite', join(folder, 'log'), each, forMs, () => undefined)
    return { ...found, restarted: 0 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function onPostgres(
  each: number,
  forMs: number,
  restarts: number,
  seed: number,
): Promise<Restarted> {
  const server = await startPostgres()
  const dice = createDice(seed)
  const part = Math.floor((each * WRITERS) / (restarts + 1))
  let done = 0
  let next = dice(part)
  let restarted = 0
  let restarting: Promise<void> = Promise.resolve()
  try {
    const found = await write('postgres', server.url, each, forMs, () => {
      done += 1
      if (done < next) return
      next = part * Math.ceil((next + 1) / part) + dice(part)
      restarted += 1
      restarting = restarting.then(async () => {
        await server.kill()
        await server.start()
      })
    })
    await restarting
    return { ...found, restarted }
  } finally {
    await server.stop()
  }
}

/** Starts the writers, and compares their acknowledgements with the log. */
async function write(
  kind: SharedLog,
  at: string,
  each: number,
  forMs: number,
  onAppend: () => void,
): Promise<Found> {
  const began = performance.now()
  const names = Array.from({ length: WRITERS }, (_, index) => `writer ${index}`)
  const acknowledged = await Promise.all(
    names.map((name) => writer(kind, at, name, each, forMs, onAppend)),
  )
  const seconds = (performance.now() - began) / 1_000
  const log = await openSharedLog(kind, at)
  const entries = await log.read('s1')
  await log.close()
  const failures = names.flatMap((name, index) =>
    compare(name, acknowledged[index] ?? { numbers: [], isCutShort: true }, entries),
  )
  return { entries: entries.length, failures, seconds }
}

/** The acknowledgements of one writer. */
interface Acknowledged {
  readonly numbers: readonly number[]
  /** The writer ended before its last append, and before its time was over. */
  readonly isCutShort: boolean
}

async function writer(
  kind: SharedLog,
  at: string,
  name: string,
  count: number,
  forMs: number,
  onAppend: () => void,
): Promise<Acknowledged> {
  const until = performance.now() + forMs
  const size = ['--count', `${count}`, `--for=${forMs}`]
  const args = [CHILD, '--log', kind, '--at', at, '--writer', name, ...size]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const numbers: number[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    numbers.push(Number(line))
    onAppend()
  }
  return { numbers, isCutShort: numbers.length < count && performance.now() < until }
}

/**
 * Returns the faults in the entries of one writer: each must be there once, where it was acknowledged, in
 * order.
 */
function compare(
  name: string,
  { numbers, isCutShort }: Acknowledged,
  entries: readonly Entry[],
): readonly string[] {
  const own = entries.filter(({ event }) => 'component' in event && event.component === name)
  const counts = own.length === numbers.length && !isCutShort
  const wrong = own.findIndex(
    ({ seq, event }, index) =>
      seq !== numbers[index] || !('state' in event) || event.state !== index,
  )
  return [
    ...(counts
      ? []
      : [
          `${name}: ${numbers.length} acknowledged, ${own.length} there${isCutShort ? ', and it ended early' : ''}`,
        ]),
    ...(wrong < 0 ? [] : [`${name}: its append ${wrong} is not where it was acknowledged`]),
  ]
}

/** The logs that several processes write to. */
const SHARED_LOGS = ['sqlite', 'postgres'] as const

export type SharedLog = (typeof SHARED_LOGS)[number]

/**
 * Opens a log at its file or address. Waits up to a minute for other processes and for a server that is away.
 */
export function openSharedLog(
  kind: SharedLog,
  at: string,
): Promise<EventLog & { close(): Promise<void> }> {
  return kind === 'sqlite'
    ? openSqliteLog(at, { durability: 'os', lockWaitMs: 60_000 })
    : openSessionsLog(at, {}, 60_000)
}
