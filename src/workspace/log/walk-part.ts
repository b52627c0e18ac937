import type { EntryPlace } from './read-entry.ts'
import type { SessionRow } from './session-row.ts'
import { type EntryRow, type Walk, walkEntries } from './walk-entries.ts'

/** Which entries of a session are read. */
interface Part {
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
export function walkPart(rows: Iterable<EntryRow | string>, part: Part): Walk {
  const { row, from, end, before, place } = part
  if (typeof before !== 'string') return { entries: [], sum: '', fault: 'an entry is missing' }
  const walk = walkEntries(rows, { seq: from, sum: before, place })
  const isWhole = end < row.version ? walk.entries.length === end - from : walk.sum === row.lastSum
  if (walk.fault !== null || isWhole) return walk
  return { ...walk, fault: `it should have ${row.version} entries` }
}
