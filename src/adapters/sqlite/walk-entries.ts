import type { SQLOutputValue } from 'node:sqlite'
import type { Entry } from '../../engine/event.ts'
import { readEntry } from '../../session/read-entry.ts'
import { nextSum } from './next-sum.ts'
import { damageIn } from './sqlite-failure.ts'

/** Where a walk begins: the number of its first entry, and the checksum before it. */
export interface WalkStart {
  readonly seq: number
  readonly sum: string
}

/** The whole entries from a place on, up to the end or to the first that is not. */
export interface Walk {
  readonly entries: readonly Entry[]
  /** Checksum of the last whole one. */
  readonly sum: string
  /** Why it ended early; null at the end. */
  readonly fault: string | null
}

/** Read rows of `entry` in order. Throws `LOG_UNKNOWN_EVENT`. */
export function walkEntries(
  rows: Iterator<Readonly<Record<string, SQLOutputValue>>>,
  start: WalkStart,
): Walk {
  const entries: Entry[] = []
  let { sum } = start
  const until = (fault: string | null): Walk => ({ entries, sum, fault })
  try {
    for (;;) {
      const seq = start.seq + entries.length
      const row = nextRow(rows)
      if (row === null) return until(null)
      if (typeof row === 'string') return until(row)
      const { text } = row
      if (row['seq'] !== seq) return until(`entry ${seq} is missing`)
      if (typeof text !== 'string') return until(`entry ${seq} is no text`)
      const own = nextSum(sum, text)
      if (own !== row['sum']) return until(`entry ${seq} is not what was written`)
      const entry = readEntry(parsed(text), seq)
      if (entry === undefined) return until(`entry ${seq} is no entry`)
      entries.push(entry)
      sum = own
    }
  } finally {
    // Statements that are left half-way keep their hold on the database.
    rows.return?.()
  }
}

/** Null after the last row; a text for damage to the page it would be on. */
function nextRow(
  rows: Iterator<Readonly<Record<string, SQLOutputValue>>>,
): Readonly<Record<string, SQLOutputValue>> | string | null {
  try {
    const next = rows.next()
    return next.done === true ? null : next.value
  } catch (error) {
    const reason = damageIn(error)
    if (reason === null) throw error
    return reason
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
