import { LOG_FORMAT, type Entry } from '../../engine/model/event.ts'
import { nextSum } from './next-sum.ts'
import type { SessionRow } from './session-row.ts'
import { storedEntry } from './stored-entry.ts'

/** Entries as they are stored, each with the checksum of it and all before it. */
export interface LongerSession {
  readonly row: SessionRow
  readonly texts: readonly string[]
  readonly sums: readonly string[]
}

/** A session with more entries, at least one; it begins with them where there is no row. */
export function longerSession(
  session: string,
  before: SessionRow | null,
  entries: readonly [Entry, ...(readonly Entry[])],
): LongerSession {
  const key = JSON.stringify(session)
  const texts = entries.map((entry) => JSON.stringify(storedEntry(entry)))
  let lastSum = before?.lastSum ?? key
  const sums = texts.map((text) => (lastSum = nextSum(lastSum, text)))
  const row: SessionRow = {
    key,
    format: LOG_FORMAT,
    version: (before?.version ?? 0) + entries.length,
    openedAt: before?.openedAt ?? entries[0].at,
    changedAt: (entries.at(-1) ?? entries[0]).at,
    lastSum,
  }
  return { row, texts, sums }
}
