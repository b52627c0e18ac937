import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'
import { type Channel, lockBucket } from './session-listener.ts'
import { type Head, type SessionHeads, sessionKey, type SessionReader } from './session-reader.ts'
import type { Statements } from './statements.ts'
import type { Entry } from '../../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { checkAppend, checkFollows, type Durability } from '../../../workspace/log/event-log.ts'
import { extendSession, nextSum, sessionColumns } from '../../../workspace/log/session-row.ts'
import { entryHash } from '../../../workspace/log/stored-entry.ts'
import type { SerializedDefinition } from '../../../workspace/log/unwritten-definitions.ts'

/**
 * How often a session is found as it was, and yet takes no append, before that is no coincidence: others
 * may put back what they changed.
 */
const MAX_UNMOVED = 3

interface WriterParts {
  readonly database: Database
  readonly sql: Statements
  readonly heads: SessionHeads
  readonly reader: SessionReader
  /** Of the schema. */
  readonly format: number
  readonly durability: Durability
  readonly channel: Channel
}

/** What is appended together: entries, and the definitions nobody wrote yet. */
interface Batch {
  readonly session: string
  readonly expected: number
  readonly entries: readonly Entry[]
  readonly definitions: readonly SerializedDefinition[]
  /** Of the entry before them, as the caller knows it. */
  readonly after: ContentHash | undefined
  /** Tells this append from every other one, also when it has to be sent twice. */
  readonly id: string
}

/** Changes the tables of a log. What changes one session is to be done one after another. */
export class SessionWriter {
  readonly #parts: WriterParts

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  async append(given: Omit<Batch, 'id'>): Promise<void> {
    const batch: Batch = { ...given, id: randomUUID() }
    const { session, expected, entries, after } = batch
    const { database, heads } = this.#parts
    const { losses } = database
    const remembered = heads.get(session)
    const isAfter = after === undefined || remembered?.lastHash === after
    if (remembered?.version === expected && isAfter && entries.length > 0) {
      checkAppend({ session, expected, found: expected, entries })
      if (await this.#write(batch, remembered)) return
    }
    // Another process was first, or this very append was, and its answer got lost.
    await this.#appendToFound(batch, losses)
  }

  async delete(session: string): Promise<void> {
    const { channel, database, heads, sql } = this.#parts
    heads.forget(session)
    const key = sessionKey(session)
    await database.query('writing', sql.drop, [key, ...notifyParameters(channel, key)])
  }

  /** @param losses of statements, before the append was sent for the first time */
  async #appendToFound(batch: Batch, losses: number): Promise<void> {
    const { session, expected, entries, after } = batch
    const { database, reader } = this.#parts
    let unmoved = 0
    for (let met: Head | null | undefined; ;) {
      const head = await reader.look(session)
      unmoved = met !== undefined && isSame(met, head) ? unmoved + 1 : 0
      if (unmoved === MAX_UNMOVED) throw notMoved(database.place, session, head)
      const mayHold = head !== null && database.losses > losses
      if (mayHold && (await this.#holds(batch, head))) return
      checkAppend({ session, expected, found: head?.version ?? 0, entries })
      if (head !== null && after !== undefined) {
        const last = await reader.lastHash(head)
        checkFollows(session, expected, after, () => last)
      }
      if (entries.length === 0 || (await this.#write(batch, head))) return
      met = head
    }
  }

  /** False when the session is not as `head` says it was. */
  async #write(batch: Batch, head: Head | null): Promise<boolean> {
    const { session, entries, definitions } = batch
    const { channel, database, durability, format, heads, sql } = this.#parts
    const key = sessionKey(session)
    const [first, ...others] = entries
    if (first === undefined) return true
    const { row: next, texts, sums } = extendSession(session, head, [first, ...others])
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
      ...notifyParameters(channel, key),
    ]
    const rowSum = sessionColumns(next).at(-1)
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
            rowSum,
            ...shared,
          ],
    )
    if (moved === undefined) {
      heads.forget(session)
      return false
    }
    const last = others.at(-1) ?? first
    heads.set(session, { ...next, id: String(moved['id']), lastHash: entryHash(last) })
    return true
  }

  /** Whether the session has the entries of this append already. */
  async #holds({ expected, entries, id }: Batch, head: Head): Promise<boolean> {
    if (entries.length === 0 || head.version < expected + entries.length) return false
    const { database, sql } = this.#parts
    const [row] = await database.query('reading', sql.appendOf, [head.id, expected])
    return row?.['append'] === id
  }
}

function isSame(met: Head | null, head: Head | null): boolean {
  return met?.id === head?.id && met?.lastSum === head?.lastSum
}

/** Something in the database keeps the row as it is: trying on would go on for ever. */
function notMoved(place: string, session: string, head: Head | null): WorkspaceError {
  const version = head?.version ?? 0
  return new WorkspaceError(
    'LOG_WRITE_FAILED',
    `Session "${session}" in ${place} takes no append, and nobody else moved it on.`,
    {
      facts: { place, session, version, reason: 'NOT_MOVED' },
      hint: 'Look for triggers and row security on its tables, or a format that was set by hand.',
    },
  )
}

/** Parameters for those who follow. */
function notifyParameters({ name, lock }: Channel, key: string): readonly (string | number)[] {
  return [name, key, lock, lockBucket(key)]
}
