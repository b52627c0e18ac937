import { randomUUID } from 'node:crypto'
import { LOG_FORMAT, type Entry } from '../../engine/event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkAppend, checkFollows } from '../../session/log/check-append.ts'
import { entryHash } from '../../session/log/entry-hash.ts'
import type { Durability } from '../../session/log/durability.ts'
import type { SessionSummary } from '../../session/ports.ts'
import { laterFormat } from '../../session/stored/later-format.ts'
import { longerSession } from '../../session/stored/longer-session.ts'
import { listedSession } from '../../session/stored/listed-session.ts'
import { nextSum } from '../../session/stored/next-sum.ts'
import { readSessionRow, sessionColumns } from '../../session/stored/session-row.ts'
import type { DefinitionText } from '../../session/stored/unwritten-definitions.ts'
import { storedHash } from '../../session/stored/stored-hash.ts'
import { walkEntries, type Walk } from '../../session/stored/walk-entries.ts'
import { checkFormat } from './bring-to-format.ts'
import { bucketOf, type Channel } from './channel.ts'
import { damagedSession } from './damaged-session.ts'
import type { Database, Row } from './database.ts'
import { SessionHeads, type Head } from './session-heads.ts'
import { keyOf } from './session-key.ts'
import { statements, type Statements } from './statements.ts'

/** Entries that one statement fetches: a long session is read in many short ones. */
const PAGE = 2_000
/** The largest number that a column of them takes. */
const MOST = 2 ** 31 - 1

interface StoredParts {
  readonly database: Database
  /** Quoted, as SQL takes it. */
  readonly schema: string
  readonly format: number
  readonly durability: Durability
  readonly channel: Channel
}

/** What is appended together: entries, and the definitions nobody wrote yet. */
interface Batch {
  readonly session: string
  readonly expected: number
  readonly entries: readonly Entry[]
  readonly definitions: readonly DefinitionText[]
  /** Of the entry before them, as the caller knows it. */
  readonly after: ContentHash | undefined
  /** Tells this append from every other one, also when it has to be sent twice. */
  readonly id: string
}

/** The tables of a log in PostgreSQL. Appends to one session are to be made one after another. */
export class StoredSessions {
  readonly #parts: StoredParts
  readonly #sql: Statements
  readonly #heads = new SessionHeads()

  constructor(parts: StoredParts) {
    this.#parts = parts
    this.#sql = statements(parts.schema)
  }

  async append(given: Omit<Batch, 'id'>): Promise<void> {
    const batch: Batch = { ...given, id: randomUUID() }
    const { session, expected, entries, after } = batch
    const { database } = this.#parts
    const { losses } = database
    const remembered = this.#heads.get(session)
    const isAfter = after === undefined || remembered?.lastHash === after
    if (remembered?.version === expected && isAfter && entries.length > 0) {
      checkAppend({ session, expected, found: expected, entries })
      if (await this.#write(batch, remembered)) return
    }
    // Another process was first, or this very append was, and its answer got lost.
    for (let met: Head | null = null; ;) {
      const head = await this.#look(session)
      if (met !== null && isSame(met, head)) throw this.#notMoved(session, head)
      const mayHold = head !== null && database.losses > losses
      if (mayHold && (await this.#holds(batch, head))) return
      checkAppend({ session, expected, found: head?.version ?? 0, entries })
      if (head !== null && after !== undefined) {
        const last = await this.#lastHash(head)
        checkFollows(session, expected, after, () => last)
      }
      if (entries.length === 0 || (await this.#write(batch, head))) return
      met = head
    }
  }

  /**
   * Entries from `from` up to and with `last`. Throws `LOG_DAMAGED` when they, or the session's row,
   * are not what was written.
   */
  async read(session: string, from: number, last: number): Promise<readonly Entry[]> {
    for (let met: Head | null = null; ;) {
      const head = await this.#look(session)
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
    const rows = await this.#query('reading', this.#sql.sessions)
    this.#checkFormat(rows[0])
    return rows
      .filter(({ id }) => id !== null)
      .map(listedSession)
      .sort((a, b) => (a.session < b.session ? -1 : 1))
  }

  async delete(session: string): Promise<void> {
    this.#heads.forget(session)
    const key = keyOf(session)
    await this.#query('writing', this.#sql.drop, [key, ...telling(this.#parts.channel, key)])
  }

  /** JSON text. */
  async definition(hash: ContentHash): Promise<string | undefined> {
    const [row] = await this.#query('reading', this.#sql.definition, [hash])
    if (row === undefined) return undefined
    const { text, sum } = row
    if (typeof text === 'string' && sum === nextSum(hash, text)) return text
    throw this.#damaged(null, null, `definition ${hash} is not what was written`)
  }

  /** False when the session is not as `head` says it was. */
  async #write(batch: Batch, head: Head | null): Promise<boolean> {
    const { session, entries, definitions } = batch
    const { channel, durability, format } = this.#parts
    const key = keyOf(session)
    const [first, ...others] = entries
    if (first === undefined) return true
    const { row: next, texts, sums } = longerSession(session, head, [first, ...others])
    const sorted = definitions.toSorted(([a], [b]) => (a < b ? -1 : 1))
    const shared = [
      entries.map(({ seq }) => seq),
      texts,
      sums,
      batch.id,
      sorted.map(([hash]) => hash),
      sorted.map(([, text]) => text),
      sorted.map(([hash, text]) => nextSum(hash, text)),
      format,
      durability,
      ...telling(channel, key),
    ]
    const rowSum = sessionColumns(next).at(-1)
    const [moved] = await this.#query(
      'writing',
      head === null ? this.#sql.appendFirst : this.#sql.appendNext,
      head === null
        ? [key, ...sessionColumns(next), ...shared]
        : [
            head.id,
            batch.expected,
            head.lastSum,
            next.format,
            next.version,
            next.changedAt,
            next.lastSum,
            rowSum,
            ...shared,
          ],
    )
    if (moved === undefined) {
      this.#heads.forget(session)
      return false
    }
    const last = others.at(-1) ?? first
    this.#heads.set(session, { ...next, id: String(moved['id']), lastHash: entryHash(last) })
    return true
  }

  async #lastHash({ id, version, lastHash }: Head): Promise<ContentHash | undefined> {
    if (lastHash !== undefined) return lastHash
    const [row] = await this.#query('reading', this.#sql.entries, [id, version - 1, version])
    return storedHash(row)
  }

  /** Whether the session has the entries of this append already. */
  async #holds({ expected, entries, id }: Batch, head: Head): Promise<boolean> {
    if (entries.length === 0 || head.version < expected + entries.length) return false
    const [row] = await this.#query('reading', this.#sql.appendOf, [head.id, expected])
    return row?.['append'] === id
  }

  /** Null for an unknown session. */
  async #look(session: string): Promise<Head | null> {
    const [columns] = await this.#query('reading', this.#sql.row, [keyOf(session)])
    this.#checkFormat(columns)
    if (columns === undefined || columns['id'] === null) return null
    const row = readSessionRow(columns)
    const head = row === null ? null : { ...row, id: String(columns['id']) }
    if (head === null || head.key !== JSON.stringify(session)) {
      throw await this.#damage(session, columns['id'], 'its row is not what was written')
    }
    if (head.format > LOG_FORMAT) {
      throw laterFormat({
        session,
        format: head.format,
        place: { place: this.#parts.database.place },
      })
    }
    if (columns['entry_sum'] !== head.lastSum) {
      throw await this.#damage(session, head.id, `it should have ${head.version} entries`)
    }
    this.#heads.set(session, head)
    return head
  }

  async #walk(session: string, head: Head, from: number, end: number): Promise<Walk> {
    const rows: Row[] = []
    for (let at = Math.max(0, from - 1); at < end; at += PAGE) {
      const values = [head.id, at, Math.min(at + PAGE, end)]
      rows.push(...(await this.#query('reading', this.#sql.entries, values)))
    }
    const before = from === 0 ? { seq: -1, sum: head.key } : rows.shift()
    const { seq, sum } = before ?? {}
    if (seq !== from - 1 || typeof sum !== 'string') return broken('an entry is missing')
    const walk = walkEntries(rows, { seq: from, sum, place: { session } })
    const isWhole =
      end < head.version ? walk.entries.length === end - from : walk.sum === head.lastSum
    return walk.fault !== null || isWhole ? walk : broken(`it should have ${head.version} entries`)
  }

  /** Looks for the last whole entry from the beginning, wherever the damage was met. */
  async #damage(session: string, id: unknown, met: string): Promise<WorkspaceError> {
    const rows = await this.#query('reading', this.#sql.entries, [id, 0, MOST])
    const start = { seq: 0, sum: JSON.stringify(session), place: { session } }
    const { entries, fault } = walkEntries(rows, start)
    return this.#damaged(session, entries.length - 1, fault ?? met)
  }

  #damaged(session: string | null, lastGoodSeq: number | null, reason: string): WorkspaceError {
    return damagedSession({ place: this.#parts.database.place, session, lastGoodSeq, reason })
  }

  /** Something in the database keeps the row as it is: trying on would go on for ever. */
  #notMoved(session: string, { version }: Head): WorkspaceError {
    const { place } = this.#parts.database
    return new WorkspaceError(
      'LOG_WRITE_FAILED',
      `Session "${session}" in ${place} takes no append, and nobody else moved it on.`,
      {
        facts: { place, session, version, reason: 'NOT_MOVED' },
        hint: 'Look for triggers and row security on its tables, or a format that was set by hand.',
      },
    )
  }

  #checkFormat(row: Row | undefined): void {
    checkFormat(this.#parts.database.place, row?.['log_format'], this.#parts.format)
  }

  #query(doing: 'reading' | 'writing', text: string, values?: readonly unknown[]) {
    return this.#parts.database.query(doing, text, values)
  }
}

function isSame(met: Head, head: Head | null): head is Head {
  return head !== null && met.id === head.id && met.lastSum === head.lastSum
}

function broken(fault: string): Walk {
  return { entries: [], sum: '', fault }
}

/** Parameters for those who follow. */
function telling({ name, lock }: Channel, key: string): readonly (string | number)[] {
  return [name, key, lock, bucketOf(key)]
}
