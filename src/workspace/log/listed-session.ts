import type { SessionSummary } from './ports.ts'
import { nameOfKey } from './name-of-key.ts'
import { readSessionRow } from './session-row.ts'

/** What a listing says of a session by its row; of a row that is not what was written, what it can. */
export function listedSession(columns: Readonly<Record<string, unknown>>): SessionSummary {
  const row = readSessionRow(columns)
  const session = nameOfKey(row?.key ?? columns['name'])
  if (row !== null && session !== null) {
    const { version, openedAt, changedAt } = row
    return { session, version, openedAt, changedAt }
  }
  return {
    session: session ?? String(columns['name']),
    version: numberIn(columns['version']),
    openedAt: numberIn(columns['opened_at']),
    changedAt: numberIn(columns['changed_at']),
    damage: 'its row is not what was written',
  }
}

/** The same of entries whose session has no row. */
export function listedEntries(key: string, version: number): SessionSummary {
  const session = nameOfKey(key) ?? key
  return { session, version, openedAt: 0, changedAt: 0, damage: 'its row is missing' }
}

function numberIn(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
