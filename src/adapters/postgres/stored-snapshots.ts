import type { SnapshotStore } from '../../session/snapshot/snapshot-store.ts'
import type { Database } from './database.ts'
import { onlyRead } from './only-read.ts'
import { keyOf } from './session-key.ts'
import { statements } from './statements.ts'

/** The largest number that the column takes. */
const MOST = 2 ** 31 - 1

/**
 * Snapshots in the tables of a log; they go with their session. Texts are kept as JSON, since
 * PostgreSQL has no NUL.
 *
 * @param schema quoted, as SQL takes it
 */
export function storedSnapshots(
  database: Database,
  schema: string,
  readOnly: boolean,
): SnapshotStore {
  const { putSnapshot, latestSnapshot } = statements(schema)
  return {
    async put(session, { seq, format, text }) {
      if (readOnly) throw onlyRead(database.place)
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
