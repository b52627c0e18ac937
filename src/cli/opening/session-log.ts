import type { Entry } from '../../engine/model/event.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { definitionsNamed } from '../../workspace/log/definitions-named.ts'
import { createMemoryLog } from '../../workspace/log/memory-log.ts'
import type { EventLog } from '../../workspace/log/ports.ts'
import type { OpenLog } from './open-log.ts'

/** A session as a log has it. */
export interface KeptSession {
  readonly log: EventLog
  readonly session: string
  readonly entries: readonly Entry[]
}

/** Read a session whole. Of damage it says how much is whole, and what can be done. */
export async function keptSession(open: OpenLog, session: string): Promise<KeptSession> {
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
  { log, session, entries }: KeptSession,
  at: number,
): Promise<KeptSession> {
  const copy = createMemoryLog()
  const kept = entries.slice(0, at + 1)
  await copy.append(session, 0, kept)
  for await (const [hash, definition] of definitionsNamed(log, kept, new Set())) {
    await copy.definitions.put(hash, definition)
  }
  return { log: copy, session, entries: kept }
}
