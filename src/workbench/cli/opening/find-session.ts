import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { SessionSummary } from '../../../entries/log.ts'
import { WorkspaceError } from '../../../entries/index.ts'
import { didYouMean, nearestNames, sanitiseLine, shellWord } from '../../../entries/kit.ts'
import { type LogAccess, logName, type OpenLog, openLog } from './open-log.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { StoredSessionOptions } from '../shell/opening-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** A session given on the command line, in its log. */
export interface SessionAt {
  readonly open: OpenLog
  readonly session: string
  /** The entry given with it; null for the last one. */
  readonly at: number | null
}

/**
 * Finds the session given by a word or by options. Throws when none is given, and when its log, or the session in it,
 * does not exist.
 */
export async function openSessionAt(
  word: string | undefined,
  options: StoredSessionOptions,
  purpose: LogAccess['purpose'],
  context: CliContext,
): Promise<SessionAt> {
  const { log, at } = options
  const reference = await givenSession(word, options, context.cwd)
  if (log === undefined && Object.keys(reference).length === 0) {
    throw wrongUsage(
      'No session is given.',
      'Give its id, or "latest". List them: loadout sessions list.',
    )
  }
  if (word !== undefined && log !== undefined && reference.log !== undefined) {
    // The word is a file, and may also be the id of a session in the given log.
    const open = await openExisting(log, purpose, context)
    const sessions = await open.log.list()
    if (sessions.some(({ session }) => session === word)) {
      return { open, session: word, at: at ?? null }
    }
    throw wrongUsage(
      `"${word}" is a log, and --log gives another one.`,
      'With --log, give the id of a session. List them: loadout sessions list.',
    )
  }
  const open = await openExisting(reference.log ?? log, purpose, context)
  const found = await resolveSessionReference(open, reference)
  if (found === null) throw await sessionUnknown(open, reference.session)
  return { open, session: found.session, at: at ?? found.at }
}

/** Returns the session that a word or `--session` gives; without them, the only one of its log. */
export async function givenSession(
  word: string | undefined,
  { session }: StoredSessionOptions,
  cwd: string,
): Promise<SessionReference> {
  if (word === undefined) return session === undefined ? {} : { session }
  if (session === undefined) return sessionReference(word, cwd)
  throw wrongUsage('Two sessions are given.', `Leave out "${word}", or --session.`)
}

/** Opens a log that must exist. */
async function openExisting(
  given: string | undefined,
  purpose: LogAccess['purpose'],
  context: CliContext,
): Promise<OpenLog> {
  // Opening it to write would create it.
  const existing = await openLog(given, { purpose: 'look' }, context)
  if (existing === null) throw await logMissing(given, context)
  return (purpose === 'look' ? existing : await openLog(given, { purpose }, context)) ?? existing
}

/** Opens the log of a session that must exist, to write in it. */
export async function openExistingSession(
  { log, session: wanted }: StoredSessionOptions,
  context: CliContext,
): Promise<Omit<SessionAt, 'at'>> {
  const open = await openExisting(log, 'write', context)
  const session = await findSession(open, wanted)
  if (session === null) throw await sessionUnknown(open, wanted)
  return { open, session }
}

/** Returns the error for a log that does not exist. */
export async function logMissing(
  given: string | undefined,
  context: Pick<CliContext, 'cwd' | 'env' | 'home'>,
): Promise<WorkspaceError> {
  const name = given ?? (await logName(undefined, context))
  return wrongUsage(`No log exists at "${name}".`, 'Give the log: --log <file>.')
}

/** A word of the command line as a log, or a session of one, perhaps with an entry. */
export interface SessionReference {
  /** Absent for a session of the log that is given otherwise. */
  readonly log?: string
  readonly session?: string
  readonly at?: number
  /** The complete word, when a session id may contain the `@12` that was read as an entry. */
  readonly typed?: string
}

/**
 * Parses a word: `run.jsonl`, `postgres://…` and any existing file are a log; anything else is the id
 * of a session. `@12` at its end selects entry 12. A folder is not a log.
 */
export async function sessionReference(word: string, cwd: string): Promise<SessionReference> {
  const plain = await referenceTo(word, cwd)
  if (plain.log !== undefined) return plain
  const [, name, entry] = /^(.+)@(\d{1,15})$/.exec(word) ?? []
  if (name === undefined || entry === undefined) return plain
  return { ...(await referenceTo(name, cwd)), at: Number(entry), typed: word }
}

/** Finds the session and the entry of a reference in an open log; null without such a session. */
export async function resolveSessionReference(
  open: OpenLog,
  { session, at, typed }: SessionReference,
): Promise<{ readonly session: string; readonly at: number | null } | null> {
  if (typed !== undefined && session !== undefined) {
    const sessions = await open.log.list()
    if (sessions.some((one) => one.session === typed)) return { session: typed, at: null }
  }
  const chosen = await findSession(open, session)
  return chosen === null ? null : { session: chosen, at: at ?? null }
}

/** Names of logs, whether they exist or not. */
const NAMES_LOG = /^postgres(?:ql)?:\/\/|\.(?:jsonl|sqlite3?|db)$/i

async function referenceTo(name: string, cwd: string): Promise<SessionReference> {
  if (NAMES_LOG.test(name)) return { log: name }
  const stats = await stat(resolve(cwd, name)).catch(() => null)
  return stats === null || stats.isDirectory() ? { session: name } : { log: name }
}

/** Generated ids, which may be shortened to their first characters. */
const RANDOM_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const SHORTEST_START = 4

/** Shortens a generated id to first characters that find the session; names that people gave stay. */
export function shortId(session: string): string {
  return RANDOM_ID.test(session) ? session.slice(0, 2 * SHORTEST_START) : session
}

/** Sessions named in a hint. */
const MOST_NAMED = 3

/** The session of the project that changed last, unless a session has this id. */
export const LATEST = 'latest'

/**
 * Finds a session of a log: by its id, by the first characters of a generated id, as `latest`, or the
 * only session when none is given. In the transcript of another agent, subagents and forks do not count
 * for the last two. Null when the log has no such session.
 */
export async function findSession(
  open: OpenLog,
  wanted: string | undefined,
): Promise<string | null> {
  const { log, name } = open
  const sessions = (await log.list()).toSorted((a, b) => b.changedAt - a.changedAt)
  const ids = sessions.map(({ session }) => session)
  if (wanted === undefined) {
    const own = await mainSessions(open, sessions)
    if (own.length < 2) return own[0] ?? null
    throw severalSessions(`"${name}" contains ${ids.length} sessions.`, own, open)
  }
  if (ids.includes(wanted)) return wanted
  if (wanted === LATEST) return latestSession(open, await mainSessions(open, sessions))
  if (wanted.length < SHORTEST_START) return null
  const matching = ids.filter((id) => RANDOM_ID.test(id) && id.startsWith(wanted))
  if (matching.length > 1) {
    throw severalSessions(`${matching.length} session ids begin with "${wanted}".`, matching, open)
  }
  return matching[0] ?? null
}

/** Returns the sessions that a person opened, without the subagents and forks that a transcript has of them. */
export async function mainSessions(
  { log, isObserved }: OpenLog,
  sessions: readonly SessionSummary[],
): Promise<readonly string[]> {
  if (!isObserved) return sessions.map(({ session }) => session)
  const main: string[] = []
  for (const { session, forkedFrom } of sessions) {
    const [first] = await log.read(session, 0, 0)
    const isChild = first?.event.type === 'session.opened' && first.event.parent !== undefined
    if (!isChild && forkedFrom === undefined) main.push(session)
  }
  return main
}

/**
 * Returns the first session of the project, or of no project, as hosts open them. A log that is given may be from
 * elsewhere: if it has none of them, its first session.
 *
 * @param ids the sessions of the log, the one that changed last first
 */
async function latestSession(
  { log, project, isGiven }: OpenLog,
  ids: readonly string[],
): Promise<string | null> {
  for (const id of ids) {
    // A session that cannot be read is of no project either.
    const [opening] = await log.read(id, 0, 0).catch(() => [])
    const its = opening?.event.type === 'session.opened' ? opening.event.project : undefined
    if (its === undefined || its === project) return id
  }
  return isGiven ? (ids[0] ?? null) : null
}

/** Returns the error for a session that a log does not contain. */
export async function sessionUnknown(
  open: OpenLog,
  wanted: string | undefined,
): Promise<WorkspaceError> {
  const { log, name } = open
  const known = (await log.list()).map(({ session }: SessionSummary) => session)
  if (wanted === undefined || known.length === 0) {
    return new WorkspaceError('LOG_EMPTY', `The log "${name}" contains no sessions.`, {
      facts: { log: name },
      hint: 'Create one: loadout activate <skill> --log <file>.',
    })
  }
  const which = wanted === LATEST ? 'of this folder' : `"${wanted}"`
  return new WorkspaceError('SESSION_UNKNOWN', `The log "${name}" has no session ${which}.`, {
    facts: { log: name, session: wanted },
    hint: didYouMean(nearestNames(wanted, known), `List the sessions: ${listCommand(open)}.`),
  })
}

function severalSessions(message: string, ids: readonly string[], open: OpenLog): WorkspaceError {
  const some = ids.slice(0, MOST_NAMED).map(sanitiseLine).join(', ')
  const more = ids.length > MOST_NAMED ? ' or another' : ''
  return wrongUsage(
    message,
    `Choose one with --session: ${some}${more}. List them: ${listCommand(open)}.`,
  )
}

/** Returns the command that lists the sessions of a log. */
function listCommand({ name, isGiven }: OpenLog): string {
  const command = 'loadout sessions list'
  return isGiven ? `${command} --log ${shellWord(name)}` : command
}

/** Throws wrong usage for an entry after the last one. */
export function refuseMissingEntry(at: number, last: number, session = ''): void {
  if (at <= last) return
  throw wrongUsage(`"${session}" has no entry ${at}.`, `Its last entry is ${last}.`)
}
