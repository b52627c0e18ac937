import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { CliContext } from '../shell/cli-context.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Durability, EventLog } from '../../workspace/log/event-log.ts'

/** A log that a command works on. */
export interface OpenLog {
  readonly log: EventLog
  readonly kind: LogPlace['kind']
  /** Null for a server. */
  readonly file: string | null
  /** For people. */
  readonly name: string
}

export interface LogAccess {
  /** `look` changes nothing, and makes no file. */
  readonly purpose: 'look' | 'write'
  /** `full` by default. */
  readonly durability?: Durability
}

/** How long a server that does not answer is tried again, in milliseconds. */
const RETRY_MS = 2_000

/**
 * Open the log that is named, or the one where sessions are kept when none is; it is closed when the
 * command is over. Null when it is to be looked at and is not there.
 */
export async function openLog(
  named: string | undefined,
  { purpose, durability = 'full' }: LogAccess,
  context: Pick<CliContext, 'cwd' | 'env' | 'home' | 'onEnd'>,
): Promise<OpenLog | null> {
  const name = named ?? defaultLog(context)
  if (name === null && purpose === 'look') return null
  if (name === null) throw wrongUsage('No log is named.', 'Name one: --log sessions.sqlite.')
  const place = await logPlace(name, context.cwd)
  if (place.kind === 'postgres') return openServer(place, { purpose, durability }, context)
  const { kind, file, isThere } = place
  if (purpose === 'look' && !isThere) return null
  if (kind === 'jsonl') {
    const { openJsonlLog } = await import('../../adapters/logs/jsonl/open-jsonl-log.ts')
    return { kind, file, name: file, log: openJsonlLog(file, { durability }) }
  }
  // What a session holds is the user's own, so a new folder is, too.
  const isOurs = named === undefined && purpose === 'write'
  if (isOurs) {
    const { makeFolder } = await import('../../project/walk/make-folder.ts')
    makeFolder(dirname(file), 0o700)
  }
  const { openSqliteLog } = await import('../../adapters/logs/sqlite/open-sqlite-log.ts')
  const log = await openSqliteLog(file, { durability, readOnly: purpose === 'look' })
  context.onEnd(() => log.close())
  return { kind, file, name: file, log }
}

/** The name of the log that is meant, for people. */
export async function logName(
  named: string | undefined,
  context: Pick<CliContext, 'cwd' | 'env' | 'home'>,
): Promise<string> {
  const name = named ?? defaultLog(context)
  return name === null ? 'memory' : shownPlace(await logPlace(name, context.cwd))
}

async function openServer(
  place: LogPlace & { readonly kind: 'postgres' },
  { purpose, durability }: Required<LogAccess>,
  { onEnd }: Pick<CliContext, 'onEnd'>,
): Promise<OpenLog | null> {
  const { openPostgresLog } =
    await import('../../adapters/logs/postgres/open-postgres-log.ts').catch((error: unknown) => {
      throw isMissing(error) ? withoutDriver() : error
    })
  const readOnly = purpose === 'look'
  const options = { durability, retryMs: RETRY_MS, readOnly }
  const log = await openPostgresLog(place.url, options).catch((error: unknown) => {
    if (readOnly && isAbsent(error)) return null
    throw error
  })
  if (log === null) return null
  onEnd(() => log.close())
  return { kind: 'postgres', file: null, name: shownPlace(place), log }
}

/** A database in which no log was begun so far. */
function isAbsent(error: unknown): boolean {
  if (!WorkspaceError.is(error) || error.code !== 'LOG_UNREADABLE') return false
  return error.facts['reason'] === 'ENOENT'
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

function withoutDriver(): WorkspaceError {
  return new WorkspaceError('PACKAGE_MISSING', 'Logs in PostgreSQL need the package "pg".', {
    facts: { package: 'pg' },
    hint: 'Install it: npm install pg.',
  })
}

/** What a log is kept in, and where. */
type LogPlace =
  | { readonly kind: 'jsonl' | 'sqlite'; readonly file: string; readonly isThere: boolean }
  | { readonly kind: 'postgres'; readonly url: string }

/** What the system says of a file that is not there. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** How every SQLite file starts. */
const SQLITE_START = 'SQLite format 3\0'

/**
 * What a name of a log means: the address of a server by its scheme, a file by what it holds, and
 * one that is not there, or is empty, by its ending: `.sqlite`, `.sqlite3` and `.db`, else JSON Lines.
 */
export async function logPlace(name: string, cwd: string): Promise<LogPlace> {
  if (/^postgres(?:ql)?:\/\//i.test(name)) return { kind: 'postgres', url: name }
  const file = resolve(cwd, name)
  const start = await startOf(file)
  if (typeof start === 'string' && start !== '') {
    return { kind: start === SQLITE_START ? 'sqlite' : 'jsonl', file, isThere: true }
  }
  const kind = /\.(?:sqlite3?|db)$/i.test(name) ? 'sqlite' : 'jsonl'
  // An empty file is no database so far: to look at it would make it one.
  return { kind, file, isThere: start !== undefined && !(start === '' && kind === 'sqlite') }
}

/** How a place is told to people: an address without its password. */
function shownPlace(place: LogPlace): string {
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
 * The first bytes of a file; undefined when there is none. Null for what is no regular file, or cannot
 * be read: whoever opens it as a log says what is wrong.
 */
async function startOf(file: string): Promise<string | null | undefined> {
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
    const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(String(error.code))
    return isAbsent ? undefined : null
  }
}

/**
 * Where sessions are kept when no log is named: `LOADOUT_LOG`, else `loadout/sessions.sqlite` in the
 * user's state folder (`XDG_STATE_HOME`, or `~/.local/state`). Beside no project, since a session may
 * hold what nobody wants to publish with it. Null where there is no home.
 */
export function defaultLog({ env, home }: Pick<CliContext, 'env' | 'home'>): string | null {
  const { LOADOUT_LOG: named = '', XDG_STATE_HOME: configured = '' } = env
  if (named !== '') return named
  if (isAbsolute(configured)) return join(configured, 'loadout', 'sessions.sqlite')
  return home === null ? null : join(home, '.local', 'state', 'loadout', 'sessions.sqlite')
}
