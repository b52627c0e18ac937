import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLIENT_NAMES } from '../../../connections/clients/client-profile.ts'
import { type EventLog, WorkspaceError } from '../../../entries/index.ts'
import { errorCode, shellWord, tryOrUndefined } from '../../../entries/kit.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { withoutPassword } from '../shell/without-password.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { ChatPlace } from '../../playground/chat/chat-store.ts'
import type { UserSeal } from '../../project/trust/user-seal.ts'
import type { Durability } from '../../../connections/logs/durability.ts'

/** A log that a command has opened. */
export interface OpenLog {
  /**
   * Allows what this user allowed: consent that somebody else recorded does not count in the sessions that it reads.
   */
  readonly log: EventLog
  /** The same log with the consent of everybody, to look at sessions and to answer the questions of their hosts. */
  readonly recorded: EventLog
  /** Recognises what this user wrote; null for a log that only this user writes to. */
  readonly user: UserSeal | null
  readonly kind: LogPlace['kind']
  /** Null for PostgreSQL. */
  readonly file: string | null
  /** The folder with the messages of conversations, which are not in the log; null without one. */
  readonly chats: string | null
  /** For messages: without a password. */
  readonly name: string
  /** The name of the command's project in the sessions that it opens. */
  readonly project: string
  /** False for the default log, in which a user has the sessions of all projects. */
  readonly isGiven: boolean
  /** It is the transcript of another agent, which is only looked at. */
  readonly isObserved?: true
}

export interface LogAccess {
  /** `look` changes nothing and creates no file. */
  readonly purpose: 'look' | 'write'
  /** Default: `full`. */
  readonly durability?: Durability
  /** True to look at the transcript of another agent, where any other log is opened to write. */
  readonly observes?: boolean
}

/** Milliseconds to retry the connection to a server. */
const RETRY_MS = 2_000

/**
 * Opens the given log, or the default log; it is closed when the command ends. Returns null for a log
 * that does not exist when the purpose is `look`. A JSON Lines file is only read.
 */
export async function openLog(
  given: string | undefined,
  { purpose, durability = 'full', observes = purpose === 'look' }: LogAccess,
  context: SealingContext & Pick<CliContext, 'onEnd'>,
): Promise<OpenLog | null> {
  const name = given ?? defaultLog(context)
  if (name === null && purpose === 'look') return null
  if (name === null) throw noLogGiven()
  const place = await logPlace(await namedFile(name, context), context.cwd)
  const open = await openPlace(place, { purpose, durability }, given !== undefined, context)
  if (open?.isObserved && !observes) throw observedOnly(name)
  if (place.kind === 'jsonl' && purpose === 'write' && !open?.isObserved) {
    throw notWritten(name, open !== null)
  }
  if (open === null) return null
  const { sealedLog } = await import('../../project/trust/sealed-log.ts')
  const seal = await userSeal(context)
  const recorded = sealedLog(open.log, seal, false)
  const user = isPrivate(place, context) ? null : seal
  return {
    ...open,
    recorded,
    user,
    log: user === null ? recorded : sealedLog(open.log, user, true),
  }
}

/** The parts of a context that say where the log and the key of a user are. */
type SealingContext = Pick<CliContext, 'cwd' | 'env' | 'home' | 'trustFile'>

async function openPlace(
  place: LogPlace,
  { purpose, durability }: Required<Omit<LogAccess, 'observes'>>,
  isGiven: boolean,
  context: SealingContext & Pick<CliContext, 'onEnd'>,
): Promise<Omit<OpenLog, 'recorded' | 'user'> | null> {
  // Part of the hash of the folder, so that a session that is passed on does not contain the path.
  const folder = await realpath(context.cwd).catch(() => resolve(context.cwd))
  const project = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const use = { project, isGiven, chats: chatsPath(place, context) }
  if (place.kind === 'postgres') return openServer(place, { purpose, durability }, use, context)
  const { kind, file, isThere } = place
  if (purpose === 'look' && !isThere) return null
  const observed = isGiven && isThere ? await observedLog(place) : null
  if (observed !== null) {
    return { kind: 'jsonl', file, name: file, log: observed, ...use, isObserved: true }
  }
  if (kind === 'jsonl') {
    const { readJsonlLog } = await import('../../../connections/logs/jsonl/open-log-file.ts')
    const log = await readJsonlLog(file)
    return log && { kind, file, name: file, log, ...use }
  }
  if (!isGiven && purpose === 'write') {
    // Sessions are private to the user.
    const { makeFolder } = await import('../../project/walk/make-folder.ts')
    makeFolder(dirname(file), 0o700)
  }
  const { openSqliteLog } = await import('../../../connections/logs/sqlite/open-sqlite-log.ts')
  const log = await openSqliteLog(file, { durability, readOnly: purpose === 'look' })
  context.onEnd(() => log.close())
  return { kind, file, name: file, log, ...use }
}

/** Returns the file that a log is given by: for the name of a client, or `recording`, the last one of this folder. */
async function namedFile(name: string, context: SealingContext): Promise<string> {
  const { cwd, env, home } = context
  const client = CLIENT_NAMES.find((one) => one === name)
  if (existsSync(resolve(cwd, name))) return name
  if (name === 'recording') return lastRecording(context)
  if (client === undefined || home === null) return name
  const { latestTranscript } =
    await import('../../../connections/observed/transcripts/find-transcripts.ts')
  const file = await latestTranscript(client, await realpath(cwd), home, env)
  if (file !== null) return file
  throw wrongUsage(
    `No session of ${client} in this folder was found.`,
    `List those of other folders with loadout sessions list --of ${client}, and give one as --log <file>.`,
  )
}

async function lastRecording(context: SealingContext): Promise<string> {
  const { latestRecording } = await import('./new-recording.ts')
  const file = await latestRecording(context.cwd, stateFolder(context))
  if (file !== null) return file
  throw wrongUsage('Nothing was recorded in this folder.', 'Record an agent: loadout watch.')
}

/** Reads a file of another agent; null for any other file. */
async function observedLog({
  kind,
  file,
}: Exclude<LogPlace, { readonly kind: 'postgres' }>): Promise<EventLog | null> {
  if (kind === 'sqlite') return transcriptInDatabase(file)
  const { readTranscript } =
    await import('../../../connections/observed/transcripts/read-transcript.ts')
  return readTranscript(file)
}

/** Reads the database of another agent, and changes nothing in its folder; null for another file. */
async function transcriptInDatabase(file: string): Promise<EventLog | null> {
  const [{ readTranscriptDatabase }, { loadSqlite }] = await Promise.all([
    import('../../../connections/observed/transcripts/read-transcript.ts'),
    import('../../../connections/logs/sqlite/open-database.ts'),
  ])
  const { DatabaseSync } = loadSqlite()
  // Nobody has it open without a write-ahead log, which SQLite would then create even to read.
  const isOpen = existsSync(`${file}-wal`)
  const place = isOpen ? file : new URL('?immutable=1', pathToFileURL(file))
  const database = tryOrUndefined(() => new DatabaseSync(place, { readOnly: true }))
  if (database === undefined) return null
  try {
    return await readTranscriptDatabase(database, file)
  } finally {
    database.close()
  }
}

/** The error for a command that needs a log when there is no default log. */
export function noLogGiven(): WorkspaceError {
  return wrongUsage('No log is given.', 'Give one: --log sessions.sqlite.')
}

/** The error for a command that would change the session of another agent. */
export function observedOnly(name: string): WorkspaceError {
  return wrongUsage(
    `"${name}" is the transcript of another agent, which is only looked at.`,
    'Use loadout play, why, tools, skills, prompt, replay or sessions show with it.',
  )
}

/** The error for a command that would write to a JSON Lines file. */
function notWritten(name: string, isThere: boolean): WorkspaceError {
  const log = shellWord(name.replace(/(?:\.jsonl)?$/i, '.sqlite'))
  const hint = isThere
    ? `To continue its session, import it: loadout sessions import ${shellWord(name)} --log ${log}. Then use --log ${log}.`
    : `Give a SQLite file: --log ${log}.`
  return wrongUsage(
    `"${name}" is a JSON Lines file: commands read it, and do not write to it.`,
    hint,
  )
}

/** Returns the name of the given log, or of the default log, for messages. */
export async function logName(
  given: string | undefined,
  context: Pick<CliContext, 'cwd' | 'env' | 'home'>,
): Promise<string> {
  const name = given ?? defaultLog(context)
  return name === null ? 'memory' : placeText(await logPlace(name, context.cwd))
}

/**
 * Returns the folder with the messages of a log's conversations: next to its file, or for a server in the user's state
 * folder. Null without a log or a home folder.
 */
export async function chatsFolder(
  given: string | undefined,
  context: Pick<CliContext, 'cwd' | 'env' | 'home'>,
): Promise<string | null> {
  const name = given ?? defaultLog(context)
  return name === null ? null : chatsPath(await logPlace(name, context.cwd), context)
}

/** The conversations of a log: their folder, and the seal of what this user wrote; null as in `OpenLog`. */
export async function chatPlace(
  given: string | undefined,
  context: SealingContext,
): Promise<ChatPlace | null> {
  const name = given ?? defaultLog(context)
  const place = name === null ? null : await logPlace(name, context.cwd)
  const folder = place && chatsPath(place, context)
  if (place === null || folder === null) return null
  return { folder, user: isPrivate(place, context) ? null : await userSeal(context) }
}

async function userSeal({ trustFile, env, home }: SealingContext): Promise<UserSeal> {
  const [{ openUserSeal }, { defaultTrustFile }] = await Promise.all([
    import('../../project/trust/user-seal.ts'),
    import('../../project/trust/trust-store.ts'),
  ])
  return openUserSeal(trustFile ?? defaultTrustFile(env, home), env['LOADOUT_SEAL_KEY'])
}

/** Returns true for the log in the user's own folder: what others made comes into it only by import, without consent. */
function isPrivate(place: LogPlace, context: Pick<CliContext, 'env' | 'home'>): boolean {
  const folder = stateFolder(context)
  return place.kind !== 'postgres' && folder !== null && place.file === join(folder, DEFAULT_NAME)
}

function chatsPath(place: LogPlace, context: Pick<CliContext, 'env' | 'home'>): string | null {
  if (place.kind !== 'postgres') return `${place.file}.chats`
  const folder = stateFolder(context)
  // The name of the folder must not contain a password.
  const name = createHash('sha256').update(withoutPassword(place.url)).digest('hex').slice(0, 16)
  return folder === null ? null : join(folder, `postgres-${name}.chats`)
}

async function openServer(
  place: LogPlace & { readonly kind: 'postgres' },
  { purpose, durability }: Required<Omit<LogAccess, 'observes'>>,
  use: Pick<OpenLog, 'project' | 'isGiven' | 'chats'>,
  { onEnd }: Pick<CliContext, 'onEnd'>,
): Promise<Omit<OpenLog, 'recorded' | 'user'> | null> {
  const { openSessionsLog } =
    await import('../../../connections/logs/postgres/open-postgres-log.ts').catch(
      (error: unknown) => {
        if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
        const message = 'Logs in PostgreSQL require the package "pg".'
        throw new WorkspaceError('PACKAGE_MISSING', message, {
          facts: { package: 'pg' },
          hint: 'Install it: npm install pg.',
        })
      },
    )
  const readOnly = purpose === 'look'
  const options = { durability, readOnly }
  const log = await openSessionsLog(place.url, options, RETRY_MS).catch((error: unknown) => {
    // The database has no tables of a log.
    const isUnreadable = WorkspaceError.is(error) && error.code === 'LOG_UNREADABLE'
    if (readOnly && isUnreadable && error.facts['reason'] === 'ENOENT') return null
    throw error
  })
  if (log === null) return null
  onEnd(() => log.close())
  return { kind: 'postgres', file: null, name: placeText(place), log, ...use }
}

/** The kind of a log and its location. */
type LogPlace =
  | { readonly kind: 'jsonl' | 'sqlite'; readonly file: string; readonly isThere: boolean }
  | { readonly kind: 'postgres'; readonly url: string }

/** Codes of the system's errors for a file that does not exist. */
const ABSENT_CODES: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** The first bytes of every SQLite file. */
const SQLITE_START = 'SQLite format 3\0'

/**
 * Finds the kind of a log from its name: a server by the scheme of its URL, a file by its first bytes,
 * a missing or empty file by its extension (`.jsonl` is JSON Lines, every other is SQLite).
 */
export async function logPlace(name: string, cwd: string): Promise<LogPlace> {
  if (/^postgres(?:ql)?:\/\//i.test(name)) return { kind: 'postgres', url: name }
  const file = resolve(cwd, name)
  const start = await readStart(file)
  if (typeof start === 'string' && start !== '') {
    return { kind: start === SQLITE_START ? 'sqlite' : 'jsonl', file, isThere: true }
  }
  const kind = /\.jsonl$/i.test(name) ? 'jsonl' : 'sqlite'
  // SQLite would turn an empty file into a database, even to read it.
  return { kind, file, isThere: start !== undefined && !(start === '' && kind === 'sqlite') }
}

/** Returns the location for messages: a URL without its password. */
function placeText(place: LogPlace): string {
  if (place.kind !== 'postgres') return place.file
  try {
    const url = new URL(place.url)
    if (url.password !== '') url.password = '***'
    url.search = ''
    return url.href
  } catch {
    return 'the PostgreSQL server'
  }
}

/**
 * Reads the first bytes of a file; undefined when it does not exist. Null when it is not a regular
 * file or cannot be read: opening it as a log then reports the error.
 */
async function readStart(file: string): Promise<string | null | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (!(await handle.stat()).isFile()) return null
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SQLITE_START.length), 0)
      return buffer.toString('latin1', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const isAbsent = ABSENT_CODES.has(errorCode(error) ?? '')
    return isAbsent ? undefined : null
  }
}

/**
 * Returns the default log: `LOADOUT_LOG`, else `loadout/sessions.sqlite` in the user's state folder
 * (`XDG_STATE_HOME`, or `~/.local/state`). It is not in the project, because a session may contain
 * private data. Null without a home folder.
 */
export function defaultLog(context: Pick<CliContext, 'env' | 'home'>): string | null {
  const { LOADOUT_LOG: log = '' } = context.env
  if (log !== '') return log
  const folder = stateFolder(context)
  return folder === null ? null : join(folder, DEFAULT_NAME)
}

const DEFAULT_NAME = 'sessions.sqlite'

/** Returns the folder of a user for what programs keep; null without a home. */
export function stateFolder({ env, home }: Pick<CliContext, 'env' | 'home'>): string | null {
  const { XDG_STATE_HOME: configured = '' } = env
  if (isAbsolute(configured)) return join(configured, 'loadout')
  return home === null ? null : join(home, '.local', 'state', 'loadout')
}
