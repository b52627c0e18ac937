import { onlyRead } from '../../../workspace/log/only-read.ts'
import type { SnapshotStore } from '../../../workspace/log/snapshot-store.ts'
import type { Database } from './database.ts'
import { keyOf } from './session-key.ts'
import type { Statements } from './statements.ts'

/** The largest number that the column takes. */
const MOST = 2 ** 31 - 1

/**
 * Snapshots in the tables of a log; they go with their session. Texts are kept as JSON, since
 * PostgreSQL has no NUL.
 */
export function storedSnapshots(
  database: Database,
  { putSnapshot, latestSnapshot }: Statements,
  readOnly: boolean,
): SnapshotStore {
  return {
    async put(session, { seq, format, text }) {
      if (readOnly) throw onlyRead({ place: database.place })
      const values = [keyOf(session), format, seq, JSON.stringify(text)]
      await database.query('writing', putSnapshot, values)
    },
    async latest(session, format, atMost = MOST) {
      const values = [keyOf(session), format, Math.min(atMost, MOST)]
      const [row] = await database.query('reading', latestSnapshot, values)
      const { seq, text } = row ?? {}
      if (typeof seq !== 'number' || typeof text !== 'string') return undefined
      return { seq, format, text: JSON.parse(text) as string }
    },
  }
}
