import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import {
  checkAppend,
  checkedPage,
  type SessionPage,
  sessionPage,
  type SessionSummary,
  type StoredSnapshot,
} from '../../../entries/log.ts'
import type { ContentHash, Entry, WorkspaceError } from '../../../entries/index.ts'
import { damageReason } from './retry-while-busy.ts'
import { LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import { damagedSession } from '../log-damage.ts'
import { sessionFormatTooNew } from '../log-location.ts'
import {
  extendSession,
  nextSum,
  readSessionRow,
  sessionColumns,
  type SessionRow,
  summaryOfRow,
  summaryWithoutRow,
} from '../rows/session-row.ts'
import { PRUNED, type SerializedDefinition } from '../rows/unwritten-definitions.ts'
import { entryRowHash, walkEntries, walkEntryRange } from '../rows/walk-entries.ts'

/** Greater than the number of any entry. */
const MAX_SEQ = Number.MAX_SAFE_INTEGER

/**
 * Selects sessions that have entries and no row. It steps from one name to the next in the index of
 * entries.
 */
const ROWLESS = `WITH RECURSIVE known(name) AS (
    SELECT min(session) FROM entry
    UNION ALL
    SELECT (SELECT min(session) FROM entry WHERE session > known.name)
    FROM known WHERE known.name IS NOT NULL
  )
  SELECT name, (SELECT max(seq) + 1 FROM entry WHERE session = known.name) AS version
  FROM known WHERE name IS NOT NULL AND name NOT IN (SELECT name FROM session)`

/** Selects all sessions. The plus keeps SQLite from using the index, whose damage nothing would notice. */
const SESSIONS = 'SELECT * FROM session ORDER BY +changed_at DESC, name'

/** Selects a page of sessions: changed at, name, limit. */
export const SESSION_PAGE = `SELECT * FROM session
  WHERE changed_at <= ?1 AND (changed_at < ?1 OR name > ?2)
  ORDER BY changed_at DESC, name LIMIT ?3`

/**
 * The tables of a log's sessions, entries and definitions. The caller runs every method in a
 * transaction.
 */
export class SessionTables {
  readonly #file: string
  readonly #sessions: StatementSync
  readonly #sessionPage: StatementSync
  readonly #rowless: StatementSync
  readonly #session: StatementSync
  readonly #putSession: StatementSync
  readonly #entries: StatementSync
  readonly #entry: StatementSync
  readonly #text: StatementSync
  readonly #putEntry: StatementSync
  readonly #dropSession: StatementSync
  readonly #dropEntries: StatementSync
  readonly #dropSnapshots: StatementSync
  readonly #hasDefinition: StatementSync
  readonly #definition: StatementSync
  readonly #putDefinition: StatementSync

  constructor(file: string, database: DatabaseSync) {
    this.#file = file
    this.#sessions = database.prepare(SESSIONS)
    this.#sessionPage = database.prepare(SESSION_PAGE)
    this.#rowless = database.prepare(ROWLESS)
    this.#session = database.prepare('SELECT * FROM session WHERE name = ?')
    this.#putSession = database.prepare('REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?)')
    this.#entries = database.prepare(
      'SELECT seq, text, sum FROM entry WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq',
    )
    this.#entry = database.prepare('SELECT sum FROM entry WHERE session = ? AND seq = ?')
    this.#text = database.prepare('SELECT seq, text FROM entry WHERE session = ? AND seq = ?')
    this.#putEntry = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)')
    this.#dropSession = database.prepare('DELETE FROM session WHERE name = ?')
    this.#dropEntries = database.prepare('DELETE FROM entry WHERE session = ?')
    this.#dropSnapshots = database.prepare('DELETE FROM snapshot WHERE session = ?')
    this.#hasDefinition = database.prepare('SELECT 1 FROM definition WHERE hash = ?')
    this.#definition = database.prepare('SELECT text, sum FROM definition WHERE hash = ?')
    this.#putDefinition = database.prepare('INSERT OR IGNORE INTO definition VALUES (?, ?, ?)')
  }

  append(
    session: string,
    expected: number,
    entries: readonly Entry[],
    after: ContentHash | undefined,
  ): void {
    const row = this.#rowOf(session)
    const found = row?.version ?? 0
    const lastHash = () => entryRowHash(this.#text.get(JSON.stringify(session), found - 1))
    checkAppend({ session, expected, found, entries, after, lastHash })
    const [first, ...others] = entries
    if (first === undefined) return
    const { row: next, texts, sums } = extendSession(session, row, [first, ...others])
    for (const [index, text] of texts.entries()) {
      this.#putEntry.run(next.key, found + index, text, sums[index] ?? '')
    }
    this.#putSession.run(...sessionColumns(next))
  }

  /**
   * Returns the entries from `from` to `last`, both included. Throws `LOG_DAMAGED` when they, or
   * the session's row, differ from what was written.
   */
  read(session: string, from: number, last: number): readonly Entry[] {
    const row = this.#rowOf(session)
    const end = Math.min(last + 1, row?.version ?? 0)
    if (row === null || from >= end) return []
    const { key } = row
    const before = from === 0 ? key : this.#entry.get(key, from - 1)?.['sum']
    const rows = iterateRows(this.#entries, key, from, end - 1)
    const place = { session, file: this.#file }
    const { entries, fault } = walkEntryRange(rows, { row, from, end, before, place })
    if (fault !== null) throw this.#damage(session, fault)
    return entries
  }

  /** Lists sessions, including damaged ones. */
  list(page: SessionPage = {}): readonly SessionSummary[] {
    const { limit, after = { changedAt: Number.MAX_VALUE, session: '' } } = checkedPage(page)
    const isAll = page.limit === undefined && page.after === undefined
    const found = isAll
      ? this.#sessions.all()
      : this.#sessionPage.all(after.changedAt, JSON.stringify(after.session), limit)
    const rows = found.map(summaryOfRow)
    // Those without a row come last; looking for them takes a walk over all names.
    if (rows.length === limit && (rows.at(-1)?.changedAt ?? 0) > 0) return rows
    const rowless = this.#rowless
      .all()
      .map(({ name: key, version }) => summaryWithoutRow(String(key), Number(version)))
    return rowless.length === 0 ? rows : sessionPage([...rows, ...rowless], page)
  }

  /** Returns the mark of the last pruning. */
  epoch(): unknown {
    return this.#definition.get(PRUNED)?.['text']
  }

  delete(session: string): void {
    const key = JSON.stringify(session)
    this.#dropEntries.run(key)
    this.#dropSnapshots.run(key)
    this.#dropSession.run(key)
  }

  hasDefinition(hash: ContentHash): boolean {
    return this.#hasDefinition.get(hash) !== undefined
  }

  /** Returns definitions as JSON texts; those that are not stored are left out. */
  definitions(hashes: readonly ContentHash[]): ReadonlyMap<ContentHash, string> {
    return new Map(
      hashes.flatMap((hash) => {
        const row = this.#definition.get(hash)
        if (row === undefined) return []
        const { text, sum } = row
        if (typeof text === 'string' && sum === nextSum(hash, text)) return [[hash, text]]
        const reason = `definition ${hash} is not what was written`
        throw damagedSession({ file: this.#file }, reason)
      }),
    )
  }

  keep(definitions: readonly SerializedDefinition[]): void {
    for (const [hash, text] of definitions) {
      this.#putDefinition.run(hash, text, nextSum(hash, text))
    }
  }

  /** Returns null for an unknown session: one without a row and without entries. */
  #rowOf(session: string): SessionRow | null {
    const key = JSON.stringify(session)
    const columns = this.#session.get(key)
    if (columns === undefined) {
      if (this.#entries.get(key, 0, MAX_SEQ) === undefined) return null
      throw this.#damage(session, 'its row is missing')
    }
    const row = readSessionRow(columns)
    if (row === null) throw this.#damage(session, 'its row is not what was written')
    if (row.format > LOG_FORMAT) {
      throw sessionFormatTooNew(session, row.format, { file: this.#file })
    }
    if (this.#entry.get(key, row.version - 1)?.['sum'] !== row.lastSum) {
      throw this.#damage(session, `it should have ${row.version} entries`)
    }
    return row
  }

  /** Finds the last valid entry of a damaged session, reading from the beginning. */
  #damage(session: string, met: string): WorkspaceError {
    const key = JSON.stringify(session)
    const rows = iterateRows(this.#entries, key, 0, MAX_SEQ)
    const start = { seq: 0, sum: key, place: { session, file: this.#file } }
    const { entries, fault } = walkEntries(rows, start)
    return damagedSession({ file: this.#file }, fault ?? met, session, entries.length - 1)
  }
}

/** The snapshots of the sessions of a log. The caller runs every method in a transaction. */
export class SnapshotTable {
  readonly #put: StatementSync
  readonly #dropOlder: StatementSync
  readonly #latest: StatementSync

  constructor(database: DatabaseSync) {
    // A session that was deleted in the meantime gets no snapshot.
    this.#put = database.prepare(
      `REPLACE INTO snapshot SELECT name, ?, ?, ? FROM session WHERE name = ? AND version > ?`,
    )
    this.#dropOlder = database.prepare(
      `DELETE FROM snapshot WHERE session = ?1 AND seq <
         (SELECT seq FROM snapshot WHERE session = ?1 ORDER BY seq DESC LIMIT 1 OFFSET 1)`,
    )
    this.#latest = database.prepare(
      `SELECT seq, text FROM snapshot WHERE session = ? AND format = ? AND seq <= ?
       ORDER BY seq DESC LIMIT 1`,
    )
  }

  put(session: string, { seq, format, text }: StoredSnapshot): void {
    this.#put.run(seq, format, text, JSON.stringify(session), seq)
    this.#dropOlder.run(JSON.stringify(session))
  }

  latest(session: string, format: string, atMost: number): StoredSnapshot | undefined {
    const row = this.#latest.get(JSON.stringify(session), format, atMost)
    const { seq, text } = row ?? {}
    if (typeof seq !== 'number' || typeof text !== 'string') return undefined
    return { seq, format, text }
  }
}

/**
 * Iterates over the rows of a statement. At a damaged page it yields the reason as a string and
 * stops.
 */
export function* iterateRows(
  statement: StatementSync,
  ...parameters: readonly (string | number)[]
): Generator<Readonly<Record<string, SQLOutputValue>> | string> {
  const rows = statement.iterate(...parameters)
  try {
    // It ends the statement, too: one that is not read to its end keeps its lock.
    yield* rows
  } catch (error) {
    const reason = damageReason(error)
    if (reason === null) throw error
    yield reason
  }
}
