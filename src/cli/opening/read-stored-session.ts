import type { SessionAt } from './find-session.ts'
import type { OpenLog } from './open-log.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { EventLog } from '../../workspace/log/event-log.ts'
import type { LogDamage } from '../../workspace/log/log-damage.ts'
import { createMemoryLog } from '../../workspace/log/memory-log.ts'
import { referencedDefinitions } from '../../workspace/log/unwritten-definitions.ts'

/** A session as a log has it. */
interface StoredSession {
  readonly log: EventLog
  readonly session: string
  readonly entries: readonly Entry[]
}

/** Read a session whole. Of damage it says how much is whole, and what can be done. */
export async function readStoredSession(open: OpenLog, session: string): Promise<StoredSession> {
  const { log, kind, name } = open
  try {
    return { log, session, entries: await log.read(session) }
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'LOG_DAMAGED' || kind === 'postgres')
      throw error
    const { code, message, hint, facts } = error
    const repair = `See it: loadout sessions show ${session} --log ${name}. Repair it: loadout sessions repair --log ${name}.`
    throw new WorkspaceError(code, message, { facts, hint: `${hint} ${repair}`, cause: error })
  }
}

/** The same session in memory, up to an entry, with the definitions it used. */
export async function copyInMemory(
  { log, session, entries }: StoredSession,
  at: number,
): Promise<StoredSession> {
  const copy = createMemoryLog()
  const kept = entries.slice(0, at + 1)
  await copy.append(session, 0, kept)
  for await (const [hash, definition] of referencedDefinitions(log, kept, new Set())) {
    await copy.definitions.put(hash, definition)
  }
  return { log: copy, session, entries: kept }
}

/** What of a session is whole, and what is not. */
interface IntactPart {
  readonly entries: readonly Entry[]
  readonly damage: LogDamage | null
}

/** Read a session, of a damaged one what is whole. A server is asked for whole sessions only. */
export async function readIntactPart({ open, session }: SessionAt): Promise<IntactPart> {
  const { log, kind, file } = open
  try {
    return { entries: await log.read(session), damage: null }
  } catch (error) {
    const isDamage = WorkspaceError.is(error) && error.code === 'LOG_DAMAGED'
    if (!isDamage || kind === 'postgres' || file === null) throw error
    if (kind === 'sqlite') {
      const { readValidEntries } = await import('../../adapters/logs/sqlite/repair-sqlite-log.ts')
      const whole = await readValidEntries(file, session)
      if (whole === null || whole.damage === null) throw error
      return whole
    }
    const { readValidPrefix } = await import('../../adapters/logs/jsonl/repair-jsonl-log.ts')
    return readValidPrefix(file)
  }
}
