import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { StoredSnapshot } from '../../../workspace/log/snapshot-store.ts'

/** The snapshots of the sessions of a log. Every method is to run inside a transaction of the caller's. */
export class SnapshotTable {
  readonly #put: StatementSync
  readonly #latest: StatementSync

  constructor(database: DatabaseSync) {
    // Of a session that was deleted meanwhile, nothing comes back.
    this.#put = database.prepare(
      `REPLACE INTO snapshot SELECT name, ?, ?, ? FROM session WHERE name = ? AND version > ?`,
    )
    this.#latest = database.prepare(
      `SELECT seq, text FROM snapshot WHERE session = ? AND format = ? AND seq <= ?
       ORDER BY seq DESC LIMIT 1`,
    )
  }

  put(session: string, { seq, format, text }: StoredSnapshot): void {
    this.#put.run(seq, format, text, JSON.stringify(session), seq)
  }

  latest(session: string, format: string, atMost: number): StoredSnapshot | undefined {
    const row = this.#latest.get(JSON.stringify(session), format, atMost)
    const { seq, text } = row ?? {}
    if (typeof seq !== 'number' || typeof text !== 'string') return undefined
    return { seq, format, text }
  }
}
