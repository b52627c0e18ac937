import { hash } from 'node:crypto'
import { type SessionSummary, storedEntry } from '../../../entries/log.ts'
import type { Entry } from '../../../entries/index.ts'
import { LOG_FORMAT } from '../../../engine/model/workspace-event.ts'

/** The row of one session in a database. */
export interface SessionRow {
  /** The id of the session as JSON text: databases end a text at NUL, and cannot store half a surrogate pair. */
  readonly key: string
  /** The format of its entries. */
  readonly format: number
  readonly version: number
  /** Wall clock of its first and of its last entry, in milliseconds since 1970. */
  readonly openedAt: number
  readonly changedAt: number
  /** The checksum of its last entry. */
  readonly lastSum: string
}

/** Is in the text of an entry that names a parent. Most entries name none, and their texts may be long. */
export const PARENT_MARK = '"parent":{'

/** Reads a row; null when it is not what was written. */
export function readSessionRow(columns: Readonly<Record<string, unknown>>): SessionRow | null {
  const { name, format, version, opened_at, changed_at, last_sum, sum } = columns
  if (typeof name !== 'string' || typeof format !== 'number') return null
  if (typeof version !== 'number' || typeof last_sum !== 'string') return null
  if (typeof opened_at !== 'number' || typeof changed_at !== 'number') return null
  const row: SessionRow = {
    key: name,
    format,
    version,
    openedAt: opened_at,
    changedAt: changed_at,
    lastSum: last_sum,
  }
  return sum === rowChecksum(row) ? row : null
}

/** Returns the columns of a row, in the order of the table. */
export function sessionColumns(row: SessionRow): readonly (string | number)[] {
  const { key, format, version, openedAt, changedAt, lastSum } = row
  return [key, format, version, openedAt, changedAt, lastSum, rowChecksum(row)]
}

function rowChecksum({ key, format, version, openedAt, changedAt, lastSum }: SessionRow): string {
  return nextSum(key, JSON.stringify([format, version, openedAt, changedAt, lastSum]))
}

/**
 * Adds entries to a session; without a row, they are its first ones. Returns its row, with the texts of the entries, and
 * the checksum of each one and all before it.
 */
export function extendSession(
  session: string,
  before: SessionRow | null,
  entries: readonly [Entry, ...(readonly Entry[])],
) {
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

/** Returns the summary of a session from its row. Of a damaged row it uses what can be read. */
export function summaryOfRow(columns: Readonly<Record<string, unknown>>): SessionSummary {
  const row = readSessionRow(columns)
  const session = sessionNameOfKey(row?.key ?? columns['name'])
  if (row !== null && session !== null) {
    const { version, openedAt, changedAt } = row
    return { session, version, openedAt, changedAt }
  }
  return {
    session: session ?? String(columns['name']),
    version: numberOrZero(columns['version']),
    openedAt: numberOrZero(columns['opened_at']),
    changedAt: numberOrZero(columns['changed_at']),
    damage: 'its row is not what was written',
  }
}

/** Returns the summary of a session that has entries and no row. */
export function summaryWithoutRow(key: string, version: number): SessionSummary {
  const session = sessionNameOfKey(key) ?? key
  return { session, version, openedAt: 0, changedAt: 0, damage: 'its row is missing' }
}

function numberOrZero(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/** Returns the id of a session from its JSON text; null when it is not one. */
export function sessionNameOfKey(key: unknown): string | null {
  try {
    const name: unknown = JSON.parse(String(key))
    return typeof name === 'string' ? name : null
  } catch {
    return null
  }
}

/**
 * Returns the checksum of a text and all texts before it, in 16 hexadecimal digits. Databases may have no
 * checksums for their pages, so they may not notice a flipped bit.
 */
export function nextSum(before: string, text: string): string {
  return hash('sha256', `${before}\n${text}`).slice(0, 16)
}
