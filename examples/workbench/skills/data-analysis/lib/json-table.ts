import { ToolError } from 'loadout'
import { columnNames } from './column-names.ts'
import {
  MOST_COLUMNS,
  MOST_ROWS,
  type Cell,
  type ColumnType,
  type TableData,
} from './table-data.ts'

/**
 * A JSON array of objects as a typed table, one column for each key in the order first seen; an
 * array of anything else becomes one column `value`. True and false are 1 and 0, and nested
 * values stay JSON text, which SQLite's `json_extract` reads.
 */
export function jsonTable(text: string): TableData {
  const records = recordsOf(parse(text))
  if (records.length > MOST_ROWS) {
    throw new ToolError(
      'VALIDATION',
      `The JSON has ${records.length} rows; ${MOST_ROWS} are the most.`,
    )
  }
  const keys = [...new Set(records.flatMap((record) => [...record.keys()]))]
  if (keys.length === 0) throw new ToolError('VALIDATION', 'The JSON array holds no values.')
  if (keys.length > MOST_COLUMNS) {
    const message = `The JSON has ${keys.length} different keys; ${MOST_COLUMNS} columns are the most.`
    throw new ToolError('VALIDATION', message)
  }
  const rows = records.map((record) => keys.map((key) => cell(record.get(key))))
  const columns = columnNames(keys).map((name, at) => ({
    name,
    type: typeOf(rows.map((row) => row[at] ?? null)),
  }))
  return {
    columns,
    rows: rows.map((row) => row.map((value, at) => asType(value, columns[at]?.type))),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('VALIDATION', `The JSON cannot be read: ${why}`)
  }
}

function recordsOf(value: unknown): readonly ReadonlyMap<string, unknown>[] {
  if (!Array.isArray(value)) {
    throw new ToolError(
      'VALIDATION',
      'The JSON is not an array; a table needs an array of objects.',
    )
  }
  return value.map((item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? new Map(Object.entries(item))
      : new Map([['value', item]]),
  )
}

function cell(value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
}

function typeOf(values: readonly Cell[]): ColumnType {
  const present = values.filter((value) => value !== null)
  if (present.length === 0 || present.some((value) => typeof value === 'string')) return 'TEXT'
  return present.every(Number.isSafeInteger) ? 'INTEGER' : 'REAL'
}

function asType(value: Cell, type: ColumnType | undefined): Cell {
  return type === 'TEXT' && typeof value === 'number' ? String(value) : value
}
