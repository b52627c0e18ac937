import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import type { Entry } from '../../src/engine/model/workspace-event.ts'
import type { EventLog } from '../../src/workspace/log/event-log.ts'

/** The logs on a disk that are tortured, each with its guarantees. */
export const DISK_LOGS = ['sqlite-os', 'sqlite-full'] as const

export type DiskLog = (typeof DISK_LOGS)[number]

/** Opens a log. The caller closes it. */
export async function openTorturedLog(
  kind: DiskLog,
  file: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<EventLog & { close(): Promise<void> }> {
  const durability = kind.endsWith('-full') ? 'full' : 'os'
  return openSqliteLog(file, { durability, maxBytes })
}

/**
 * Returns the entry of a tortured writer at a position. It depends only on its number, and has any size up to
 * 8 kB.
 */
export function writtenEntry(seq: number): Entry {
  const text = `${seq} `.repeat(1 + ((seq * 7919) % 1_400))
  return {
    seq,
    at: 1_000 + seq,
    cause: { by: 'host' },
    event: { type: 'component.updated', component: 'notes', state: { seq, text } },
  }
}
