import type { Entry } from '../engine/event.ts'
import { createMemoryLog } from '../session/memory-log.ts'
import type { EventLog } from '../session/ports.ts'

/** A session as a log has it. */
export interface KeptSession {
  readonly log: EventLog
  readonly session: string
  readonly entries: readonly Entry[]
}

/** The session of a log that holds one; null when it holds none. */
export async function keptSession(log: EventLog): Promise<KeptSession | null> {
  const [summary] = await log.list()
  if (summary === undefined) return null
  const { session } = summary
  const entries = await log.read(session)
  return entries.length === 0 ? null : { log, session, entries }
}

/** The same session in memory, up to an entry, with the definitions it used. */
export async function copyInMemory(
  { log, session, entries }: KeptSession,
  at: number,
): Promise<KeptSession> {
  const copy = createMemoryLog()
  const kept = entries.slice(0, at + 1)
  await copy.append(session, 0, kept)
  for (const { event } of kept) {
    if (event.type !== 'source.opened' && event.type !== 'source.accepted') continue
    const hashes = event.claims.map(({ hash }) => hash)
    if (event.definition !== null) hashes.push(event.definition)
    for (const hash of hashes) {
      const definition = await log.definitions.get(hash)
      if (definition !== undefined) await copy.definitions.put(hash, definition)
    }
  }
  return { log: copy, session, entries: kept }
}
