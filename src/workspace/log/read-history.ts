import { type NameHistory, nameHistory } from '../../engine/explain/name-history.ts'
import type { WorkspaceEvent } from '../../engine/model/workspace-event.ts'
import type { SessionJournal } from '../commands/session-journal.ts'

/** Reads the history of a tool or a skill from the log of its session, up to the entry that the session is at. */
export async function readHistory(
  kind: 'tool' | 'skill',
  names: readonly string[],
  { log, session, store }: Pick<SessionJournal, 'log' | 'session' | 'store'>,
): Promise<NameHistory> {
  const entries = await log.read(session, 0, store.getState().state.seq)
  const hashes = new Set(entries.flatMap(({ event }) => storedPart(event) ?? []))
  return nameHistory(kind, new Set(names), entries, await log.definitions.get([...hashes]))
}

/** Returns the hash of what the log of another agent has of a request or a turn. */
function storedPart(event: WorkspaceEvent) {
  if (event.type === 'step.begun') return event.listed
  return event.type === 'turn.begun' ? event.said : undefined
}
