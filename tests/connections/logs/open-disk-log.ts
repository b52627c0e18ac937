import { openPostgresLog } from '../../../src/connections/logs/postgres/open-postgres-log.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import type { EventLog } from '../../../src/workspace/log/event-log.ts'

export type DiskLogKind = 'sqlite' | 'postgres'

/** Opens a log of a kind that processes share: in a file, or in a database at an address. */
export async function openDiskLog(
  kind: DiskLogKind,
  place: string,
): Promise<EventLog & { close(): Promise<void> }> {
  return kind === 'sqlite' ? openSqliteLog(place) : openPostgresLog(place)
}
