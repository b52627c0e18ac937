import { setTimeout as delay } from 'node:timers/promises'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { type Doing, isBusy, sqliteFailure } from './sqlite-failure.ts'

/** Longest pause between two attempts, in milliseconds. */
const PAUSE_MS = 10

/** What is attempted, and on what. */
export interface Attempt {
  readonly file: string
  readonly doing: Doing
  /** How long other connections are waited for, in milliseconds. */
  readonly waitMs: number
}

/**
 * Do some work on a database, again and again while another connection is at it.
 *
 * SQLite's own waiting would hold up the whole process, so the pauses are here. The work is all
 * or none: an attempt that found the database busy has left nothing. Throws `LOG_LOCKED` after
 * `waitMs`, and errors of SQLite as ours.
 */
export async function whenFree<T>({ file, doing, waitMs }: Attempt, work: () => T): Promise<T> {
  const deadline = performance.now() + waitMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw sqliteFailure(file, doing, error)
      if (performance.now() > deadline) throw locked(file, waitMs, error)
    }
    await delay(Math.random() * Math.min(attempt, PAUSE_MS))
  }
}

function locked(file: string, waitMs: number, cause: unknown): WorkspaceError {
  return new WorkspaceError('LOG_LOCKED', `${file} was locked for ${waitMs} ms.`, {
    facts: { file, waitMs },
    hint: 'Another process is writing to it. Try again, or wait longer with `lockWaitMs`.',
    cause,
  })
}
