import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ToolError } from 'loadout'
import type { QueryAnswer, QueryJob, QueryReport } from './query-job.ts'

const TIME_LIMIT_MS = 5_000
const MOST_OUTPUT = 16 * 1024 * 1024

/** What an answer may hold, and how long all queries may take together. */
export interface QueryLimits {
  /** Rows of each answer. */
  readonly limit: number
  /** Characters of each text, 2,000 by default. */
  readonly characters?: number
  readonly timeoutMs?: number
}

/**
 * Run queries on a session's database, for reading only, in a process of their own that is
 * killed when the time is up or the call is given up. One answer for each query, in order.
 */
export async function runQueries(
  database: string,
  queries: readonly string[],
  { limit, characters = 2_000, timeoutMs = TIME_LIMIT_MS }: QueryLimits,
  signal: AbortSignal,
): Promise<readonly QueryAnswer[]> {
  const printed = await runProcess({ database, queries, limit, characters, timeoutMs }, signal)
  const report = JSON.parse(printed) as QueryReport
  if (report.ok) return report.answers
  throw new ToolError('VALIDATION', `SQLite refused the query: ${report.message}.`)
}

function runProcess(job: QueryJob, signal: AbortSignal): Promise<string> {
  const program = fileURLToPath(new URL('query-process.ts', import.meta.url))
  const options = {
    // What this process was started with, such as a debugger, is not for that one.
    env: { ...process.env, NODE_OPTIONS: '' },
    signal,
    timeout: job.timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT,
  } as const
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ['--no-warnings', program],
      options,
      (error, stdout) => {
        if (error === null) resolve(stdout)
        else reject(failure(error, job, signal))
      },
    )
    // Broken when the process was killed before it read its job; the callback tells why.
    child.stdin?.on('error', () => {})
    child.stdin?.end(JSON.stringify(job))
  })
}

function failure(
  error: Error & { killed?: boolean },
  job: QueryJob,
  signal: AbortSignal,
): ToolError {
  const harmless = { partialSideEffects: false }
  if (signal.aborted) {
    return new ToolError('ABORTED', 'The call was given up before the query was done.', harmless)
  }
  if (error.killed === true) {
    const message = `The query took longer than ${job.timeoutMs / 1000} seconds; ask for less.`
    return new ToolError('TIMEOUT', message, { ...harmless, details: { limitMs: job.timeoutMs } })
  }
  return new ToolError('INTERNAL', 'The query process ended without an answer.', harmless)
}
