import type { Database, Row } from './database.ts'
import { checkSchemaFormat } from './postgres-migrations.ts'
import type { Statements } from './statements.ts'
import { type Entry, LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import { type ContentHash, textHash } from '../../../kernel/content-hash.ts'
import type { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { SessionSummary } from '../../../workspace/log/event-log.ts'
import { damagedSession } from '../../../workspace/log/log-damage.ts'
import { sessionFormatTooNew } from '../../../workspace/log/log-location.ts'
import {
  nextSum,
  readSessionRow,
  type SessionRow,
  summaryOfRow,
} from '../../../workspace/log/session-row.ts'
import {
  entryRowHash,
  type EntryWalk,
  walkEntries,
  walkEntryRange,
} from '../../../workspace/log/walk-entries.ts'

/** Entries that one statement fetches: a long session is read in many short ones. */
const PAGE = 2_000

/** The largest number that a column of them takes. */
const MAX_SEQ = 2 ** 31 - 1

interface ReaderParts {
  readonly database: Database
  readonly sql: Statements
  readonly heads: SessionHeads
  /** Of the schema. */
  readonly format: number
}

/** Reads the tables of a log, and sees that they hold what was written. */
export class SessionReader {
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /**
   * Entries from `from` up to and with `last`. Throws `LOG_DAMAGED` when they, or the session's row,
   * are not what was written.
   */
  async read(session: string, from: number, last: number): Promise<readonly Entry[]> {
    for (let met: Head | null = null; ;) {
      const head = await this.look(session)
      const end = Math.min(last + 1, head?.version ?? 0)
      if (head === null || from >= end) return []
      const { entries, fault } = await this.#walk(session, head, from, end)
      if (fault === null) return entries
      // What is not there may have been deleted with its session since that was looked up.
      if (met?.id === head.id) throw await this.#damage(session, head.id, fault)
      met = head
    }
  }

  /** Every session, the damaged ones among them. */
  async list(): Promise<readonly SessionSummary[]> {
    const rows = await this.#query(this.#parts.sql.sessions)
    this.#checkFormat(rows[0])
    return rows
      .filter(({ id }) => id !== null)
      .map(summaryOfRow)
      .sort((a, b) => (a.session < b.session ? -1 : 1))
  }

  /** JSON text. */
  async definition(hash: ContentHash): Promise<string | undefined> {
    const [row] = await this.#query(this.#parts.sql.definition, [hash])
    if (row === undefined) return undefined
    const { text, sum } = row
    if (typeof text === 'string' && sum === nextSum(hash, text)) return text
    throw this.#damaged(null, null, `definition ${hash} is not what was written`)
  }

  /** Where a session ends at this moment, which is remembered; null for an unknown one. */
  async look(session: string): Promise<Head | null> {
    const [columns] = await this.#query(this.#parts.sql.row, [sessionKey(session)])
    this.#checkFormat(columns)
    if (columns === undefined || columns['id'] === null) return null
    const row = readSessionRow(columns)
    const head = row === null ? null : { ...row, id: String(columns['id']) }
    if (head === null || head.key !== JSON.stringify(session)) {
      throw await this.#damage(session, columns['id'], 'its row is not what was written')
    }
    if (head.format > LOG_FORMAT) {
      throw sessionFormatTooNew({
        session,
        format: head.format,
        keptIn: { place: this.#parts.database.place },
      })
    }
    if (columns['entry_sum'] !== head.lastSum) {
      throw await this.#damage(session, head.id, `it should have ${head.version} entries`)
    }
    this.#parts.heads.set(session, head)
    return head
  }

  /** Hash of the last entry before an end. */
  async lastHash({ id, version, lastHash }: Head): Promise<ContentHash | undefined> {
    if (lastHash !== undefined) return lastHash
    const [row] = await this.#query(this.#parts.sql.entries, [id, version - 1, version])
    return entryRowHash(row)
  }

  async #walk(session: string, head: Head, from: number, end: number): Promise<EntryWalk> {
    const rows: Row[] = []
    for (let at = Math.max(0, from - 1); at < end; at += PAGE) {
      const values = [head.id, at, Math.min(at + PAGE, end)]
      rows.push(...(await this.#query(this.#parts.sql.entries, values)))
    }
    const first = from === 0 ? { seq: -1, sum: head.key } : rows.shift()
    const before = first?.['seq'] === from - 1 ? first['sum'] : undefined
    return walkEntryRange(rows, { row: head, from, end, before, place: { session } })
  }

  /** Looks for the last whole entry from the beginning, wherever the damage was met. */
  async #damage(session: string, id: unknown, met: string): Promise<WorkspaceError> {
    const rows = await this.#query(this.#parts.sql.entries, [id, 0, MAX_SEQ])
    const start = { seq: 0, sum: JSON.stringify(session), place: { session } }
    const { entries, fault } = walkEntries(rows, start)
    return this.#damaged(session, entries.length - 1, fault ?? met)
  }

  #damaged(session: string | null, lastGoodSeq: number | null, reason: string): WorkspaceError {
    const keptIn = { place: this.#parts.database.place }
    return damagedSession({ keptIn, session, lastGoodSeq, reason })
  }

  #checkFormat(row: Row | undefined): void {
    checkSchemaFormat(this.#parts.database.place, row?.['log_format'], this.#parts.format)
  }

  #query(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.#parts.database.query('reading', text, values)
  }
}

/** Where a session ends, as the database was last seen to have it. */
export interface Head extends SessionRow {
  readonly id: string
  /** Hash of its last entry, where that is known. */
  readonly lastHash?: ContentHash | undefined
}

/** Sessions whose end is remembered, so that an append to them is one round trip. */
const MAX_HEADS = 10_000

/** The ends of the sessions that were seen last; any of them may have moved on since. */
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

/** What a session is found by, and named by to those who follow it: 64 hexadecimal digits. */
export function sessionKey(session: string): string {
  return textHash(JSON.stringify(session)).slice('sha256:'.length)
}
