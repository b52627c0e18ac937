import { ToolError } from 'loadout'
import { columnNames } from './column-names.ts'
import { readCsv, type CsvField } from './read-csv.ts'
import {
  MOST_COLUMNS,
  MOST_ROWS,
  type Cell,
  type ColumnType,
  type TableData,
} from './table-data.ts'

export interface CsvOptions {
  /** Whether the first record names the columns. */
  readonly header: boolean
  /** Found out from the first line when absent. */
  readonly delimiter?: string
}

/**
 * CSV text as a typed table. A column is INTEGER or REAL when every value in it is written as
 * such a number, else TEXT: `007` stays text, and so do whole numbers beyond 2^53, which often are
 * names of something.
 */
export function csvTable(text: string, options: CsvOptions): TableData {
  const records = [...bounded(readCsv(text, options.delimiter ?? guessDelimiter(text)))]
  const [first] = records
  if (first === undefined) throw new ToolError('VALIDATION', 'The CSV holds no records.')
  const width = first.fields.length
  if (width > MOST_COLUMNS) {
    throw new ToolError('VALIDATION', `The CSV has ${width} columns; ${MOST_COLUMNS} are the most.`)
  }
  const uneven = records.find(({ fields }) => fields.length !== width)
  if (uneven !== undefined) {
    const message = `Line ${uneven.line} of the CSV has ${uneven.fields.length} fields; the first has ${width}.`
    throw new ToolError('VALIDATION', message, { details: { line: uneven.line } })
  }
  const values = records.slice(options.header ? 1 : 0).map(({ fields }) => fields)
  const names = columnNames(options.header ? first.fields : first.fields.map(() => null))
  const columns = names.map((name, at) => ({ name, type: typeOf(values.map((row) => row[at])) }))
  const rows = values.map((row) => row.map((field, at) => cell(field, columns[at]?.type)))
  return { columns, rows }
}

function* bounded<T>(records: Iterable<T>): Generator<T> {
  let count = 0
  for (const record of records) {
    count += 1
    if (count > MOST_ROWS + 1) {
      throw new ToolError('VALIDATION', `The CSV has more than ${MOST_ROWS} rows.`)
    }
    yield record
  }
}

/** The likeliest of the usual delimiters: the one the first line has most of, quotes apart. */
function guessDelimiter(text: string): string {
  const [firstLine = ''] = text.slice(0, 10_000).split(/[\r\n]/, 1)
  const bare = firstLine.replaceAll(/"[^"]*"/g, '')
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: bare.split(sign).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).sign
}

const INTEGER = /^[+-]?(?:0|[1-9]\d*)$/
const REAL = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/

function typeOf(values: readonly (CsvField | undefined)[]): ColumnType {
  const present = values.filter((value) => value !== null && value !== undefined)
  const types = new Set(present.map(typeOfValue))
  if (types.size === 0 || types.has('TEXT')) return 'TEXT'
  return types.has('REAL') ? 'REAL' : 'INTEGER'
}

function typeOfValue(value: string): ColumnType {
  if (INTEGER.test(value)) return Number.isSafeInteger(Number(value)) ? 'INTEGER' : 'TEXT'
  return REAL.test(value) && Number.isFinite(Number(value)) ? 'REAL' : 'TEXT'
}

function cell(field: CsvField, type: ColumnType | undefined): Cell {
  return field === null || type === 'TEXT' ? field : Number(field)
}
