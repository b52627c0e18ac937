import type { Entry } from '../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { nextSum, type SessionRow } from './session-row.ts'
import { entryHash, type EntryPlace, readEntry } from './stored-entry.ts'

/** Where a walk begins: the number of its first entry, and the checksum before it. */
interface WalkStart {
  readonly seq: number
  readonly sum: string
  /** For the error about an entry this version cannot read. */
  readonly place?: EntryPlace
}

/** The whole entries from a place on, up to the end or to the first that is not. */
export interface EntryWalk {
  readonly entries: readonly Entry[]
  /** Checksum of the last whole one. */
  readonly sum: string
  /** Why it ended early; null at the end. */
  readonly fault: string | null
}

/** One stored entry: its number, its JSON text, and the checksum of it and all before it. */
type EntryRow = Readonly<Record<string, unknown>>

/**
 * Read the rows of a session in order; a text instead of one says how the database failed to
 * give it. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 */
export function walkEntries(rows: Iterable<EntryRow | string>, start: WalkStart): EntryWalk {
  const entries: Entry[] = []
  let { sum } = start
  const until = (fault: string | null): EntryWalk => ({ entries, sum, fault })
  for (const row of rows) {
    const seq = start.seq + entries.length
    if (typeof row === 'string') return until(row)
    const { text } = row
    if (row['seq'] !== seq) return until(`entry ${seq} is missing`)
    if (typeof text !== 'string') return until(`entry ${seq} is no text`)
    const own = nextSum(sum, text)
    if (own !== row['sum']) return until(`entry ${seq} is not what was written`)
    const entry = readEntry(parsed(text), seq, start.place)
    if (entry === undefined) return until(`entry ${seq} is no entry`)
    entries.push(entry)
    sum = own
  }
  return until(null)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Which entries of a session are read. */
interface EntryRange {
  /** Where the session ends. */
  readonly row: Pick<SessionRow, 'version' | 'lastSum'>
  readonly from: number
  /** One past the last that is wanted; no more than the session has. */
  readonly end: number
  /** Checksum of the entry before `from`, of the first the key of the session; no text where it is missing. */
  readonly before: unknown
  readonly place: EntryPlace
}

/** Read the rows of a part of a session; whole only when they are all that were written there. */
export function walkEntryRange(rows: Iterable<EntryRow | string>, part: EntryRange): EntryWalk {
  const { row, from, end, before, place } = part
  if (typeof before !== 'string') return { entries: [], sum: '', fault: 'an entry is missing' }
  const walk = walkEntries(rows, { seq: from, sum: before, place })
  const isWhole = end < row.version ? walk.entries.length === end - from : walk.sum === row.lastSum
  if (walk.fault !== null || isWhole) return walk
  return { ...walk, fault: `it should have ${row.version} entries` }
}

/**
 * The hash of an entry that a database has, by its number and text; undefined for none, and for what is
 * no entry. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 */
export function entryRowHash(row: EntryRow | undefined): ContentHash | undefined {
  const { seq, text } = row ?? {}
  if (typeof seq !== 'number' || typeof text !== 'string') return undefined
  const entry = readEntry(parsed(text), seq)
  return entry && entryHash(entry)
}
