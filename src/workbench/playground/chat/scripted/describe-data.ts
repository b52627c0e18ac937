import { isObject } from '../../../../entries/kit.ts'

/** Rows of a table, and lines of a text, that an answer has. */
const MOST_ROWS = 40
const MOST_LINES = 60
const MOST_CELL = 120

/** Describes the data of a result for a person: tables as lines, long texts and lists cut, which the text says. */
export function describeData(data: unknown): string {
  if (typeof data === 'string') return lines(data)
  if (Array.isArray(data)) return listed(data)
  if (!isObject(data)) return String(data)
  const { columns, rows, ...others } = data
  if (Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray)) {
    const names = columns.map((column) =>
      isObject(column) ? String(column['name'] ?? '') : String(column),
    )
    return [table(names, rows), ...members(others)].join('\n')
  }
  return members(data)
    .filter((text) => text !== '')
    .join('\n')
}

function members(data: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(data)
    .filter(([name]) => name !== 'complete')
    .map(([name, value]) => member(name, value))
}

function member(name: string, value: unknown): string {
  if (typeof value === 'string' && value.includes('\n')) return `${name}:\n${lines(value)}`
  if (Array.isArray(value)) {
    if (value.length === 0) return `${name}: none`
    return value.every((one) => !isObject(one) && !Array.isArray(one))
      ? `${name}: ${value.slice(0, MOST_ROWS).map(cell).join(', ')}${more(value.length, MOST_ROWS)}`
      : `${name} (${value.length}):\n${listed(value)}`
  }
  if (isObject(value)) return `${name}:\n${describeData(value)}`
  return `${name}: ${cell(value)}`
}

/** Objects as rows of a table; members that are lists or objects follow. */
function listed(values: readonly unknown[]): string {
  if (!values.every(isObject))
    return table(
      [],
      values.map((one) => (Array.isArray(one) ? one : [one])),
    )
  const names = [...new Set(values.flatMap((one) => Object.keys(one)))]
  const isInner = (value: unknown) => Array.isArray(value) || isObject(value)
  const hasInner = values.some((one) => Object.values(one).some(isInner))
  if (hasInner) return values.slice(0, MOST_ROWS).map(describeData).join('\n\n')
  return table(
    names,
    values.map((one) => names.map((name) => one[name])),
  )
}

function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const shown = rows.slice(0, MOST_ROWS).map((row) => row.map(cell).join(' | '))
  const first = head.length > 0 ? [head.join(' | ')] : []
  return [...first, ...shown].join('\n') + more(rows.length, MOST_ROWS)
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll(
    '\n',
    ' ',
  )
  return text.length <= MOST_CELL ? text : `${text.slice(0, MOST_CELL)}…`
}

function lines(text: string): string {
  const all = text.split('\n')
  return all.slice(0, MOST_LINES).join('\n') + more(all.length, MOST_LINES)
}

function more(count: number, most: number): string {
  return count <= most ? '' : `\n… and ${count - most} more`
}
