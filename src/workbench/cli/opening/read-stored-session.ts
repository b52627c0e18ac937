import {
  type Catalog,
  type Entry,
  type EventLog,
  type OpeningNotice,
  WorkspaceError,
} from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
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

/** Returns what a person has to know of a session that is shown as its log has it. */
export function noticesAbout(
  stored: readonly Entry[],
  { skills }: Catalog,
): readonly OpeningNotice[] {
  const observed = agentObserved(stored)
  if (observed === undefined) return skills.size === 0 ? [] : [FROM_LOG]
  const { client, version = '', folder } = observed
  const where = folder === undefined ? '' : ` in ${sanitiseLine(folder)}`
  const message = `A session of ${sanitiseLine(`${client} ${version}`.trim())}${where}, as its transcript or recording has it. What that does not have is not shown.`
  return [{ code: OBSERVED, message, hint: '' }]
}

/** Returns the agent of a stored session that is not built on Loadout; undefined for any other session. */
export function agentObserved([opening]: readonly Entry[]) {
  return opening?.event.type === 'session.opened' ? opening.event.observed : undefined
}

/** Returns true for the notice of a session whose definitions are not those of a project here. */
export function isShownFromLog({ code }: OpeningNotice): boolean {
  return code === FROM_LOG.code || code === OBSERVED
}

const OBSERVED = 'session-observed'

const FROM_LOG: OpeningNotice = {
  code: 'shown-from-log',
  message:
    'The definitions are those of the log. It has no panels, no values of variables, and no texts or schemas of skills that were never active.',
  hint: 'Give the folder of the agent, with --trust if it has a loadout.config.ts, to see all of them.',
}
