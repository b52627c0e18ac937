import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../../engine/model/event.ts'
import type { LogDamage } from '../../../workspace/log/log-damage.ts'
import { nameOfKey } from '../../../workspace/log/name-of-key.ts'
import { readSessionRow } from '../../../workspace/log/session-row.ts'
import { walkEntries } from '../../../workspace/log/walk-entries.ts'
import { rowsOf } from './rows-of.ts'

/** What of a session is what was written, from its beginning. */
export interface WholeEntries {
  /** Its name as JSON text, as the tables have it. */
  readonly key: string
  readonly entries: readonly Entry[]
  /** Checksum of the last of them. */
  readonly sum: string
  /** Null when that is all of it. */
  readonly damage: LogDamage | null
}

/**
 * Read the entries of a session as far as they are whole, whatever its row says; null when there is
 * neither. To be run inside a transaction. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`: what another
 * version wrote is not damaged.
 */
export function wholeEntries(database: DatabaseSync, key: string): WholeEntries | null {
  const columns = database.prepare('SELECT * FROM session WHERE name = ?').get(key)
  const rows = database.prepare('SELECT seq, text, sum FROM entry WHERE session = ? ORDER BY seq')
  const walk = walkEntries(rowsOf(rows, key), { seq: 0, sum: key })
  const { entries, sum, fault } = walk
  if (columns === undefined && entries.length === 0 && fault === null) return null
  const row = columns === undefined ? null : readSessionRow(columns)
  const version = row?.version ?? entries.length
  const reason =
    fault ??
    (columns === undefined
      ? 'its row is missing'
      : row === null
        ? 'its row is not what was written'
        : version !== entries.length || row.lastSum !== sum
          ? `it should have ${version} entries`
          : null)
  const whole = { key, entries, sum }
  if (reason === null) return { ...whole, damage: null }
  const count = Math.max(version, afterLast(database, key)) - entries.length
  return {
    ...whole,
    damage: {
      session: nameOfKey(key) ?? key,
      lastGoodSeq: entries.length - 1,
      reason,
      line: null,
      lost: { count: Math.max(0, count), unit: 'entry' },
    },
  }
}

/** One past the highest number that an entry of it has; 0 where the page that says so is damaged. */
function afterLast(database: DatabaseSync, key: string): number {
  const rows = database.prepare('SELECT max(seq) + 1 AS next FROM entry WHERE session = ?')
  const [row] = rowsOf(rows, key)
  return row === undefined || typeof row === 'string' ? 0 : Number(row['next'] ?? 0)
}
