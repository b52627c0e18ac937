import { dirname } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Durability } from '../../workspace/log/durability.ts'
import type { EventLog } from '../../workspace/log/ports.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { defaultLog } from './default-log.ts'
import { logPlace, type LogPlace, shownPlace } from './log-place.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

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
