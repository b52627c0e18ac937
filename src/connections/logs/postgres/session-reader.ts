import {
  checkedPage,
  entryHash,
  type LoadedSession,
  type SessionPage,
  type SessionSummary,
  type StoredSnapshot,
} from '../../../entries/log.ts'
import type { ContentHash, WorkspaceError } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import type { Database, Row } from './database.ts'
import { checkSchemaFormat } from './postgres-migrations.ts'
import { ENTRY_PAGE, MAX_SEQ, type Statements } from './statements.ts'
import { LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import { damagedSession } from '../log-damage.ts'
import { sessionFormatTooNew } from '../log-location.ts'
import { nextSum, readSessionRow, type SessionRow, summaryOfRow } from '../rows/session-row.ts'
import { entryRowHash, type EntryWalk, walkEntries, walkEntryRange } from '../rows/walk-entries.ts'

/** Access to the tables of a log, shared by reader and writer. */
export interface LogTables {
  readonly database: Database
  readonly sql: Statements
  readonly heads: SessionHeads
  /** The format of the schema. */
  readonly format: number
}

/** Reads the tables of a log, and checks that they contain what was written. */
export class SessionReader {
  readonly #tables: LogTables

  constructor(tables: LogTables) {
    this.#tables = tables
  }

  /**
   * Returns the entries from `from` to `last`, both included. Throws `LOG_DAMAGED` when they, or
   * the session's row, differ from what was written.
   *
   * @param format that of a snapshot: if there is one, the entries begin with its last one
   */
  async read(
    session: string,
    from: number,
    last: number,
    format: string | null = null,
  ): Promise<LoadedSession> {
    const range = [Math.min(from, MAX_SEQ), Math.min(last + 1, MAX_SEQ)]
    for (let previous: Head | null = null; ;) {
      const values = [sessionKey(session), ...range, format]
      const [columns, ...rows] = await this.#query(this.#tables.sql.read, values)
      const head = await this.#headOf(session, columns)
      const snapshot = snapshotInRow(columns, format)
      const start = Math.max(from, snapshot?.seq ?? 0)
      const end = Math.min(last + 1, head?.version ?? 0)
      const cached = snapshot && { snapshot }
      if (head === null || start >= end) return { entries: [], ...cached }
      const page = rows.map(({ seq, text, own_sum: sum }) => ({ seq, text, sum }))
      const { entries, fault } = await this.#walk(session, head, start, end, page)
      if (fault === null) {
        const final = end === head.version ? entries.at(-1) : undefined
        // The next append need not read the entry that it follows.
        if (final) this.#tables.heads.set(session, { ...head, lastHash: entryHash(final) })
        return { entries, ...cached }
      }
      // Entries may be missing because the session was deleted after its row was read.
      if (previous?.id === head.id) throw await this.#damage(session, head.id, fault)
      previous = head
    }
  }

  /** Lists sessions, including damaged ones. Two that changed at the same time are in the order of their keys. */
  async list(page?: SessionPage): Promise<readonly SessionSummary[]> {
    const { limit, after } = checkedPage(page)
    // NaN is greater than any number of PostgreSQL.
    const before = after ? [after.changedAt, sessionKey(after.session)] : [NaN, '']
    const rows = await this.#query(this.#tables.sql.sessions, [...before, limit])
    this.#checkFormat(rows[0])
    return rows.filter(({ id }) => id !== null).map(summaryOfRow)
  }

  async hasDefinition(hash: ContentHash): Promise<boolean> {
    const rows = await this.#query(this.#tables.sql.hasDefinition, [hash])
    return rows.length > 0
  }

  /** Returns definitions as JSON texts; those that are not stored are left out. */
  async definitions(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>> {
    const rows = await this.#query(this.#tables.sql.definitions, [hashes])
    return new Map(
      rows.map(({ hash, text, sum }) => {
        if (typeof text === 'string' && sum === nextSum(String(hash), text)) {
          return [hash as ContentHash, text]
        }
        throw this.#damaged(null, null, `definition ${String(hash)} is not what was written`)
      }),
    )
  }

  /** Reads and remembers the current end of a session; returns null for an unknown one. */
  async readHead(session: string): Promise<Head | null> {
    const [columns] = await this.#query(this.#tables.sql.row, [sessionKey(session)])
    return this.#headOf(session, columns)
  }

  async #headOf(session: string, columns: Row | undefined): Promise<Head | null> {
    this.#checkFormat(columns)
    if (columns === undefined || columns['id'] === null) return null
    const row = readSessionRow(columns)
    const head = row === null ? null : { ...row, id: String(columns['id']) }
    if (head === null || head.key !== JSON.stringify(session)) {
      throw await this.#damage(session, columns['id'], 'its row is not what was written')
    }
    if (head.format > LOG_FORMAT) {
      throw sessionFormatTooNew(session, head.format, { place: this.#tables.database.place })
    }
    if (columns['entry_sum'] !== head.lastSum) {
      throw await this.#damage(session, head.id, `it should have ${head.version} entries`)
    }
    this.#tables.heads.set(session, head)
    return head
  }

  /** Returns the hash of the last entry before an end. */
  async lastHash({ id, version, lastHash }: Head): Promise<ContentHash | undefined> {
    if (lastHash !== undefined) return lastHash
    const [row] = await this.#query(this.#tables.sql.entries, [id, version - 1, version])
    return entryRowHash(row)
  }

  /** Checks entries, and reads those that are not on their first page. */
  async #walk(
    session: string,
    head: Head,
    from: number,
    end: number,
    page: readonly Row[],
  ): Promise<EntryWalk> {
    const rows = [...page]
    for (let at = Math.max(0, from - 1) + ENTRY_PAGE; at < end; at += ENTRY_PAGE) {
      const values = [head.id, at, Math.min(at + ENTRY_PAGE, end)]
      rows.push(...(await this.#query(this.#tables.sql.entries, values)))
    }
    const first = from === 0 ? { seq: -1, sum: head.key } : rows.shift()
    const before = first?.['seq'] === from - 1 ? first['sum'] : undefined
    return walkEntryRange(rows, { row: head, from, end, before, place: { session } })
  }

  /** Finds the last valid entry of a damaged session, reading from the beginning. */
  async #damage(session: string, id: unknown, previous: string): Promise<WorkspaceError> {
    const rows = await this.#query(this.#tables.sql.entries, [id, 0, MAX_SEQ])
    const start = { seq: 0, sum: JSON.stringify(session), place: { session } }
    const { entries, fault } = walkEntries(rows, start)
    return this.#damaged(session, entries.length - 1, fault ?? previous)
  }

  #damaged(session: string | null, lastGoodSeq: number | null, reason: string): WorkspaceError {
    return damagedSession({ place: this.#tables.database.place }, reason, session, lastGoodSeq)
  }

  #checkFormat(row: Row | undefined): void {
    checkSchemaFormat(this.#tables.database.place, row?.['log_format'], this.#tables.format)
  }

  #query(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.#tables.database.query('reading', text, values)
  }
}

/** Returns the snapshot that a row has; undefined without one. */
export function snapshotInRow(
  { seq, text }: Row = {},
  format: string | null,
): StoredSnapshot | undefined {
  if (format === null || typeof seq !== 'number' || typeof text !== 'string') return undefined
  return { seq, format, text: JSON.parse(text) as string }
}

/** The end of a session as the database last had it. */
export interface Head extends SessionRow {
  readonly id: string
  /** Hash of its last entry, if known. */
  readonly lastHash?: ContentHash | undefined
}

/**
 * Number of sessions whose end is remembered, so that an append to one of them is one round trip.
 */
const MAX_HEADS = 10_000

/** The ends of the sessions that were used last. Any of them may have changed since. */
export class SessionHeads {
  readonly #heads = new Map<string, Head>()

  get(session: string): Head | undefined {
    return this.#heads.get(session)
  }

  set(session: string, head: Head): void {
    this.#heads.delete(session)
    this.#heads.set(session, head)
    const [oldest] = this.#heads.keys()
    if (this.#heads.size > MAX_HEADS && oldest !== undefined) this.#heads.delete(oldest)
  }

  forget(session: string): void {
    this.#heads.delete(session)
  }
}

/**
 * Returns the key of a session, which finds its row and names it to followers: 64 hexadecimal
 * digits.
 */
export function sessionKey(session: string): string {
  return textHash(JSON.stringify(session)).slice('sha256:'.length)
}
