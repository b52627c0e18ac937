import { entryHash, readEntry } from '../../../entries/log.ts'
import type { ContentHash, Entry } from '../../../entries/index.ts'
import { tryOrUndefined } from '../../../entries/kit.ts'
import { nextSum, type SessionRow } from './session-row.ts'

/** The start of a walk: the number of its first entry, and the checksum before it. */
interface WalkStart {
  readonly seq: number
  readonly sum: string
  /** For the error about an entry that this version cannot read. */
  readonly place?: Parameters<typeof readEntry>[2]
}

/** The intact entries from a start on, up to the first damaged one or the end. */
export interface EntryWalk {
  readonly entries: readonly Entry[]
  /** The checksum of the last intact entry. */
  readonly sum: string
  /** The damage that ended the walk; null when it reached the end. */
  readonly fault: string | null
}

/** One stored entry: its number, its JSON text, and the checksum of this entry and all before it. */
type EntryRow = Readonly<Record<string, unknown>>

/**
 * Reads the rows of a session in order. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 *
 * @param rows the rows; a text in the place of a row is the reason why the database could not read it
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
    if (typeof text !== 'string') return until(`entry ${seq} is not a text`)
    const own = nextSum(sum, text)
    if (own !== row['sum']) return until(`entry ${seq} is not what was written`)
    const entry = readEntry(parsed(text), seq, start.place)
    if (entry === undefined) return until(`entry ${seq} is not an entry`)
    entries.push(entry)
    sum = own
  }
  return until(null)
}

function parsed(text: string): unknown {
  return tryOrUndefined(() => JSON.parse(text) as unknown)
}

/** A range of entries to read. */
interface EntryRange {
  /** The end of the session. */
  readonly row: Pick<SessionRow, 'version' | 'lastSum'>
  readonly from: number
  /** The number after the last entry to read; at most the number of entries. */
  readonly end: number
  /** The checksum of the entry before `from`, or the key of the session; another value when that entry is missing. */
  readonly before: unknown
  readonly place: WalkStart['place']
}

/** Reads a range of a session, and checks that no entry of the range is missing. */
export function walkEntryRange(rows: Iterable<EntryRow | string>, part: EntryRange): EntryWalk {
  const { row, from, end, before, place } = part
  if (typeof before !== 'string') return { entries: [], sum: '', fault: 'an entry is missing' }
  const walk = walkEntries(rows, { seq: from, sum: before, place })
  const isWhole = end < row.version ? walk.entries.length === end - from : walk.sum === row.lastSum
  if (walk.fault !== null || isWhole) return walk
  return { ...walk, fault: `it should have ${row.version} entries` }
}

/**
 * Returns the `entryHash` of a row; undefined without a row, and for a row that is not an entry. Throws
 * `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 */
export function entryRowHash(row: EntryRow | undefined): ContentHash | undefined {
  const { seq, text } = row ?? {}
  if (typeof seq !== 'number' || typeof text !== 'string') return undefined
  const entry = readEntry(parsed(text), seq)
  return entry && entryHash(entry)
}
