import { nextSum } from './next-sum.ts'

/** What a database says of one session. */
export interface SessionRow {
  /** Its name as JSON text: databases stop at a NUL and have no half surrogates. */
  readonly key: string
  /** Format number of its entries. */
  readonly format: number
  readonly version: number
  /** Wall clock of its first and last entry, milliseconds since 1970. */
  readonly openedAt: number
  readonly changedAt: number
  /** Checksum of its last entry. */
  readonly lastSum: string
}

/** A row as it was written; null for one that is not. */
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
  return sum === rowSum(row) ? row : null
}

/** The columns of a row, in the order of the table. */
export function sessionColumns(row: SessionRow): readonly (string | number)[] {
  const { key, format, version, openedAt, changedAt, lastSum } = row
  return [key, format, version, openedAt, changedAt, lastSum, rowSum(row)]
}

function rowSum({ key, format, version, openedAt, changedAt, lastSum }: SessionRow): string {
  return nextSum(key, JSON.stringify([format, version, openedAt, changedAt, lastSum]))
}
