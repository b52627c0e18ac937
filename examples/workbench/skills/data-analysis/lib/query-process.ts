import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { AnswerCell, QueryAnswer, QueryJob, QueryReport } from './query-job.ts'

/*
 * The program of the process that runs queries: a `QueryJob` on its input, a `QueryReport` on its
 * output. It exists because SQLite cannot be interrupted from JavaScript in the same thread; a
 * process can be killed. Should its parent die first, the worker below ends it.
 */

/** Characters of one whole answer. */
const MOST_ANSWER = 200_000
/** Bytes of one value inside SQLite, where this Node can limit them. */
const MOST_VALUE = 16 * 1024 * 1024

const READING: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
])

function run(job: QueryJob): QueryReport {
  const database = new DatabaseSync(job.database, {
    readOnly: true,
    limits: { length: MOST_VALUE, attach: 0 },
  })
  try {
    // Absent before Node 24.10.
    database.setAuthorizer?.((action) =>
      READING.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY,
    )
    return { ok: true, answers: job.queries.map((sql) => answer(database.prepare(sql), job)) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  } finally {
    database.close()
  }
}

function answer(statement: StatementSync, job: QueryJob): QueryAnswer {
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const columns = statement.columns().map(({ name }) => name)
  const rows: (readonly AnswerCell[])[] = []
  let characters = 0
  for (const row of statement.iterate() as Iterable<unknown>) {
    const cells = (row as readonly unknown[]).map((value) => cell(value, job.characters))
    characters += JSON.stringify(cells).length
    if (rows.length === job.limit || characters > MOST_ANSWER)
      return { columns, rows, complete: false }
    rows.push(cells)
  }
  return { columns, rows, complete: true }
}

function cell(value: unknown, most: number): AnswerCell {
  if (value === null) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  const whole = String(value)
  return whole.length <= most ? whole : `${whole.slice(0, most)}…`
}

const job = JSON.parse(await text(process.stdin)) as QueryJob
const watchdog = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${job.timeoutMs + 1_000})`
new Worker(watchdog, { eval: true }).unref()
process.stdout.write(JSON.stringify(run(job)))
