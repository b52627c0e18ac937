import { randomUUID } from 'node:crypto'
import { checkAppend, entryHash, type PruneReport } from '../../../entries/log.ts'
import { type ContentHash, type Entry, WorkspaceError } from '../../../entries/index.ts'
import { pruneTables } from './prune-tables.ts'
import { type Channel, lockBucket } from './session-listener.ts'
import { type Head, type LogTables, sessionKey, type SessionReader } from './session-reader.ts'
import type { Durability } from '../durability.ts'
import { extendSession, nextSum, sessionColumns } from '../rows/session-row.ts'
import type { SerializedDefinition } from '../rows/unwritten-definitions.ts'

/**
 * Maximum number of failed appends while the session does not change. After that it is no
 * coincidence: something in the database undoes the change.
 */
const MAX_UNCHANGED = 3

/** One append: entries, and the definitions that were not written yet. */
interface Batch {
  readonly session: string
  readonly expected: number
  readonly entries: readonly Entry[]
  readonly definitions: readonly SerializedDefinition[]
  /** Hash of the entry before them, as the caller knows it. */
  readonly after: ContentHash | undefined
  /** Identifies this append, also when it is sent twice. */
  readonly id: string
}

/** Changes the tables of a log. The caller runs the changes of one session one after the other. */
export class SessionWriter {
  readonly #tables: LogTables
  readonly #reader: SessionReader
  readonly #durability: Durability
  readonly #channel: Channel

  constructor(tables: LogTables, reader: SessionReader, durability: Durability, channel: Channel) {
    this.#tables = tables
    this.#reader = reader
    this.#durability = durability
    this.#channel = channel
  }

  /** The mark of the last pruning, as the last append found it. */
  epoch: unknown

  async append(given: Omit<Batch, 'id'>): Promise<void> {
    const batch: Batch = { ...given, id: randomUUID() }
    const { session, expected, entries, after } = batch
    const { database, heads } = this.#tables
    const { losses } = database
    const remembered = heads.get(session)
    const isAfter = after === undefined || remembered?.lastHash === after
    if (remembered?.version === expected && isAfter && entries.length > 0) {
      checkAppend({ session, expected, found: expected, entries, after, lastHash: () => after })
      if (await this.#write(batch, remembered)) return
    }
    // Another process appended first, or this very append succeeded and its answer was lost.
    await this.#appendToFound(batch, losses)
  }

  async delete(session: string): Promise<void> {
    const { database, heads, sql } = this.#tables
    heads.forget(session)
    const key = sessionKey(session)
    await database.query('writing', sql.drop, [key, ...notifyParameters(this.#channel, key)])
  }

  /** Writes definitions that no append writes. */
  async keep(definitions: readonly SerializedDefinition[]): Promise<void> {
    const { database, sql } = this.#tables
    await database.query('writing', sql.keep, definitionParameters(definitions))
  }

  /** Deletes old sessions and unused definitions, as `pruneTables` says. */
  async prune(changedBefore: number, dryRun: boolean): Promise<PruneReport> {
    const { database, heads, sql } = this.#tables
    const pruned = await pruneTables(database, sql, {
      changedBefore,
      dryRun,
      channel: this.#channel.name,
    })
    if (pruned.mark !== undefined) this.epoch = pruned.mark
    if (!dryRun) for (const session of pruned.report.sessions) heads.forget(session)
    return pruned.report
  }

  /** @param losses the number of lost statements before the append was sent for the first time */
  async #appendToFound(batch: Batch, losses: number): Promise<void> {
    const { session, expected, entries, after } = batch
    const { database } = this.#tables
    let unchanged = 0
    for (let previous: Head | null | undefined; ;) {
      const head = await this.#reader.readHead(session)
      const isSame = previous?.id === head?.id && previous?.lastSum === head?.lastSum
      unchanged = previous !== undefined && isSame ? unchanged + 1 : 0
      if (unchanged === MAX_UNCHANGED) throw notChanged(database.place, session, head)
      const mayHaveAppend = head !== null && database.losses > losses
      if (mayHaveAppend && (await this.#hasAppend(batch, head))) return
      const found = head?.version ?? 0
      const isRead = head !== null && found === expected && after !== undefined
      const last = isRead ? await this.#reader.lastHash(head) : undefined
      checkAppend({ session, expected, found, entries, after, lastHash: () => last })
      if (entries.length === 0 || (await this.#write(batch, head))) return
      previous = head
    }
  }

  /** Returns false when the session no longer ends at `head`. */
  async #write(batch: Batch, head: Head | null): Promise<boolean> {
    const { session, entries, definitions } = batch
    const { database, format, heads, sql } = this.#tables
    const key = sessionKey(session)
    const [first, ...others] = entries
    if (first === undefined) return true
    const { row: next, texts, sums } = extendSession(session, head, [first, ...others])
    const shared = [
      entries.map(({ seq }) => seq),
      texts,
      sums,
      batch.id,
      ...definitionParameters(definitions),
      format,
      this.#durability,
      ...notifyParameters(this.#channel, key),
    ]
    const [moved] = await database.query(
      'writing',
      head === null ? sql.appendFirst : sql.appendNext,
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
            sessionColumns(next).at(-1),
            ...shared,
          ],
    )
    if (moved === undefined) {
      heads.forget(session)
      return false
    }
    const last = others.at(-1) ?? first
    this.epoch = moved['pruned']
    heads.set(session, { ...next, id: String(moved['id']), lastHash: entryHash(last) })
    return true
  }

  /** Returns true when the session already has the entries of this append. */
  async #hasAppend({ expected, entries, id }: Batch, head: Head): Promise<boolean> {
    if (entries.length === 0 || head.version < expected + entries.length) return false
    const { database, sql } = this.#tables
    const [row] = await database.query('reading', sql.appendOf, [head.id, expected])
    return row?.['append'] === id
  }
}

/** Returns hashes, texts and sums, in an order in which no two statements wait for each other. */
function definitionParameters(definitions: readonly SerializedDefinition[]): readonly string[][] {
  const sorted = definitions.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [
    sorted.map(([hash]) => hash),
    sorted.map(([, text]) => text),
    sorted.map(([hash, text]) => nextSum(hash, text)),
  ]
}

/**
 * The error for a session that does not change although nobody else changes it. Retrying would
 * never end.
 */
function notChanged(place: string, session: string, head: Head | null): WorkspaceError {
  const version = head?.version ?? 0
  return new WorkspaceError(
    'LOG_WRITE_FAILED',
    `Session "${session}" in ${place} does not accept an append, although no other process changed it.`,
    {
      facts: { place, session, version, reason: 'NOT_MOVED' },
      hint: 'Look for triggers and row security on its tables, or a format that was set by hand.',
    },
  )
}

/** Returns the parameters of a notification. */
function notifyParameters({ name, lock }: Channel, key: string): readonly (string | number)[] {
  return [name, key, lock, lockBucket(key)]
}
