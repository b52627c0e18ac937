import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type LogAccess, logName, type OpenLog, openLog } from './open-log.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { SessionsOptions } from '../shell/common-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { SessionSummary } from '../../workspace/log/event-log.ts'

/** A session that a word named, in its log. */
export interface SessionAt {
  readonly open: OpenLog
  readonly session: string
  /** The entry that was named with it; null for now. */
  readonly at: number | null
}

/** Find the session that a word names. Throws for a log that is not there, or does not have it. */
export async function openSessionAt(
  word: string,
  { log, at }: SessionsOptions & { readonly at?: number },
  purpose: LogAccess['purpose'],
  context: CliContext,
): Promise<SessionAt> {
  const reference = await sessionReference(word, context.cwd)
  if (log !== undefined && reference.log !== undefined) {
    // A file here may have the name of a session there.
    const open = await openNamed(log, purpose, context)
    const sessions = await open.log.list()
    if (sessions.some(({ session }) => session === word)) {
      return { open, session: word, at: at ?? null }
    }
    throw wrongUsage(
      `"${word}" is a log of its own.`,
      'With --log give the id of a session: see loadout sessions list.',
    )
  }
  const open = await openNamed(reference.log ?? log, purpose, context)
  const found = await resolveSessionReference(open, reference)
  if (found === null) throw await sessionUnknown(open, reference.session)
  return { open, session: found.session, at: at ?? found.at }
}

/** Open a log that has to be there. */
async function openNamed(
  named: string | undefined,
  purpose: LogAccess['purpose'],
  context: CliContext,
): Promise<OpenLog> {
  // To write is no reason to make one here: what is to be changed has to be there.
  const isThere = await openLog(named, { purpose: 'look' }, context)
  if (isThere === null) {
    const name = named ?? (await logName(undefined, context))
    throw wrongUsage(`There is no log at "${name}".`, 'Name the one that is meant: --log <file>.')
  }
  return (purpose === 'look' ? isThere : await openLog(named, { purpose }, context)) ?? isThere
}

/** The last entry that is meant of so many. */
export function lastEntryMeant({ session, at }: SessionAt, entries: number): number {
  if (at !== null) refuseMissingEntry(at, entries - 1, session)
  return at ?? entries - 1
}

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
export async function resolveSessionReference(
  open: OpenLog,
  { session, at, whole }: SessionReference,
): Promise<{ readonly session: string; readonly at: number | null } | null> {
  if (whole !== undefined && session !== undefined) {
    const sessions = await open.log.list()
    if (sessions.some((one) => one.session === whole)) return { session: whole, at: null }
  }
  const chosen = await findSession(open, session)
  return chosen === null ? null : { session: chosen, at: at ?? null }
}

/** A log by its address, or a file by its name though it is not there. */
const NAMES_LOG = /^postgres(?:ql)?:\/\/|\.(?:jsonl|sqlite3?|db)$/i

async function referenceTo(name: string, cwd: string): Promise<SessionReference> {
  if (NAMES_LOG.test(name)) return { log: name }
  const stats = await stat(resolve(cwd, name)).catch(() => null)
  return stats === null || stats.isDirectory() ? { session: name } : { log: name }
}

/** Ids that nobody chose: the first characters of one are enough. */
const RANDOM_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const SHORTEST_START = 4

/** Sessions named in a hint. */
const MOST_NAMED = 3

/** A word for the session that changed last, where none has this name. */
const LATEST = 'latest'

/**
 * The session of a log that is meant: by its id, by the beginning of a random one, as `latest`, or
 * without a word as the only one. Null when the log does not have it, or has none.
 */
export async function findSession(
  { log, name }: OpenLog,
  wanted: string | undefined,
): Promise<string | null> {
  const sessions = (await log.list()).toSorted((a, b) => b.changedAt - a.changedAt)
  const ids = sessions.map(({ session }) => session)
  if (wanted === undefined) {
    if (ids.length > 1) throw severalSessions(`"${name}" holds ${ids.length} sessions.`, ids)
    return ids[0] ?? null
  }
  if (ids.includes(wanted)) return wanted
  if (wanted === LATEST) return ids[0] ?? null
  if (wanted.length < SHORTEST_START) return null
  const begun = ids.filter((id) => RANDOM_ID.test(id) && id.startsWith(wanted))
  if (begun.length > 1)
    throw severalSessions(`${begun.length} sessions begin with "${wanted}".`, begun)
  return begun[0] ?? null
}

/** The error for a session that a log does not have. */
export async function sessionUnknown(
  { log, name }: OpenLog,
  wanted: string | undefined,
): Promise<WorkspaceError> {
  const known = (await log.list()).map(({ session }: SessionSummary) => session)
  if (wanted === undefined || known.length === 0) {
    return new WorkspaceError('LOG_EMPTY', `The log "${name}" holds no session.`, {
      facts: { log: name },
      hint: 'Begin one: loadout activate <skill> --log <file>.',
    })
  }
  return new WorkspaceError('SESSION_UNKNOWN', `The log "${name}" has no session "${wanted}".`, {
    facts: { log: name, session: wanted },
    hint: didYouMean(nearestNames(wanted, known), 'See loadout sessions list.'),
  })
}

function severalSessions(message: string, ids: readonly string[]): WorkspaceError {
  const some = ids.slice(0, MOST_NAMED).join(', ')
  const more = ids.length > MOST_NAMED ? ' or another' : ''
  return wrongUsage(message, `Say which: --session ${some}${more}. See loadout sessions list.`)
}

/** An entry after the last one of a log is a mistake in the command line. */
export function refuseMissingEntry(at: number, last: number, session = ''): void {
  if (at <= last) return
  throw wrongUsage(`"${session}" has no entry ${at}.`, `Its last entry is ${last}.`)
}
