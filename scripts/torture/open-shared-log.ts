import { openPostgresLog } from '../../src/adapters/logs/postgres/open-postgres-log.ts'
import { openSqliteLog } from '../../src/adapters/logs/sqlite/open-sqlite-log.ts'
import type { EventLog } from '../../src/workspace/log/ports.ts'

/** The logs that several processes write to. */
export const SHARED_LOGS = ['sqlite', 'postgres'] as const

export type SharedLog = (typeof SHARED_LOGS)[number]

/** Open one at its file or address; waits for others, and for a server that is away, a minute. */
export function openSharedLog(
  kind: SharedLog,
  at: string,
): Promise<EventLog & { close(): Promise<void> }> {
  return kind === 'sqlite'
    ? openSqliteLog(at, { durability: 'os', lockWaitMs: 60_000 })
    : openPostgresLog(at, { retryMs: 60_000, maxConnections: 2 })
}
