import { type Entry, type EventLog, WorkspaceError } from '../../../entries/index.ts'
import type { SessionAt } from './find-session.ts'
import type { OpenLog } from './open-log.ts'
import type { LogDamage } from '../../../connections/logs/log-damage.ts'

/** All entries of a session, and the log that contains it. */
interface StoredSession {
  readonly log: EventLog
  readonly session: string
  readonly entries: readonly Entry[]
}

/** Reads all entries of a session. The error for a damaged one says how to repair it. */
export async function readStoredSession(
  { kind, name, ...open }: OpenLog,
  session: string,
  log: OpenLog['log'] = open.log,
): Promise<StoredSession> {
  try {
    return { log, session, entries: await log.read(session) }
  } catch (error) {
    if (!isDamage(error) || kind !== 'sqlite') throw error
    const { code, message, hint, facts } = error
    const repair = `Inspect it: loadout sessions show ${session} --log ${name}. Repair it: loadout sessions repair --log ${name}.`
    throw new WorkspaceError(code, message, { facts, hint: `${hint} ${repair}`, cause: error })
  }
}

/**
 * Copies a session into memory, up to an entry, with the definitions that it uses.
 *
 * @param user as in `OpenLog`
 */
export async function copyInMemory(
  { log, session, entries }: StoredSession,
  at: number,
  user: OpenLog['user'],
): Promise<StoredSession> {
  const [{ createMemoryLog }, { referencedDefinitions }, { sealedLog }] = await Promise.all([
    import('../../../entries/index.ts'),
    import('../../../entries/adapter.ts'),
    import('../../project/trust/sealed-log.ts'),
  ])
  const copy = createMemoryLog()
  const kept = entries.slice(0, at + 1)
  await copy.append(session, 0, kept)
  for await (const [hash, definition] of referencedDefinitions(log, kept, new Set())) {
    await copy.definitions.put(hash, definition)
  }
  return { log: user === null ? copy : sealedLog(copy, user, true), session, entries: kept }
}

/** Reads a session; only the undamaged entries of a damaged one. Only damage of a SQLite log is no error. */
export async function readIntactPart({ open, session }: SessionAt): Promise<{
  readonly entries: readonly Entry[]
  readonly damage: LogDamage | null
}> {
  const { recorded: log, kind, file } = open
  try {
    return { entries: await log.read(session), damage: null }
  } catch (error) {
    if (!isDamage(error) || kind !== 'sqlite' || file === null) throw error
    const { readValidEntries } =
      await import('../../../connections/logs/sqlite/repair-sqlite-log.ts')
    const part = await readValidEntries(file, session)
    if (part === null || part.damage === null) throw error
    return part
  }
}

function isDamage(error: unknown): error is WorkspaceError {
  return WorkspaceError.is(error) && error.code === 'LOG_DAMAGED'
}
