import type { Entry } from '../../engine/model/event.ts'
import { readEntry, type EntryPlace } from './read-entry.ts'
import { nextSum } from './next-sum.ts'

/** Where a walk begins: the number of its first entry, and the checksum before it. */
export interface WalkStart {
  readonly seq: number
  readonly sum: string
  /** For the error about an entry this version cannot read. */
  readonly place?: EntryPlace
}

/** The whole entries from a place on, up to the end or to the first that is not. */
export interface Walk {
  readonly entries: readonly Entry[]
  /** Checksum of the last whole one. */
  readonly sum: string
  /** Why it ended early; null at the end. */
  readonly fault: string | null
}

/** One stored entry: its number, its JSON text, and the checksum of it and all before it. */
export type EntryRow = Readonly<Record<string, unknown>>

/**
 * Read the rows of a session in order; a text instead of one says how the database failed to
 * give it. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 */
export function walkEntries(rows: Iterable<EntryRow | string>, start: WalkStart): Walk {
  const entries: Entry[] = []
  let { sum } = start
  const until = (fault: string | null): Walk => ({ entries, sum, fault })
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
