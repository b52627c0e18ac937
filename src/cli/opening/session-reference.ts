import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { chosenSession } from './chosen-session.ts'
import type { OpenLog } from './open-log.ts'

/** What a word of the command line names: a log, or a session of one, at an entry of it. */
export interface SessionReference {
  /** A log of its own; absent for a session of the log that is named elsewhere. */
  readonly log?: string
  readonly session?: string
  readonly at?: number
  /** The word as it is, where it may also be the id of a session that ends like one. */
  readonly whole?: string
}

/**
 * Take a word apart: `run.jsonl` or `postgres://…` is a log, as is any file that is there; anything
 * else is the id of a session. `@12` behind either means as it was after entry 12. A folder is no log.
 */
export async function sessionReference(word: string, cwd: string): Promise<SessionReference> {
  const whole = await referenceTo(word, cwd)
  if (whole.log !== undefined) return whole
  const [, name, entry] = /^(.+)@(\d{1,15})$/.exec(word) ?? []
  if (name === undefined || entry === undefined) return whole
  return { ...(await referenceTo(name, cwd)), at: Number(entry), whole: word }
}

/** The session that a reference means in an open log, and at which entry; null when it has none. */
export async function referredTo(
  open: OpenLog,
  { session, at, whole }: SessionReference,
): Promise<{ readonly session: string; readonly at: number | null } | null> {
  if (whole !== undefined && session !== undefined) {
    const sessions = await open.log.list()
    if (sessions.some((one) => one.session === whole)) return { session: whole, at: null }
  }
  const chosen = await chosenSession(open, session)
  return chosen === null ? null : { session: chosen, at: at ?? null }
}

/** A log by its address, or a file by its name though it is not there. */
const NAMES_LOG = /^postgres(?:ql)?:\/\/|\.(?:jsonl|sqlite3?|db)$/i

async function referenceTo(name: string, cwd: string): Promise<SessionReference> {
  if (NAMES_LOG.test(name)) return { log: name }
  const stats = await stat(resolve(cwd, name)).catch(() => null)
  return stats === null || stats.isDirectory() ? { session: name } : { log: name }
}
