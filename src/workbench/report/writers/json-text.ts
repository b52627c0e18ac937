import { escapeHidden } from '../../../entries/definitions.ts'
import type { ReportRows } from '../report.ts'

/** Writes a value as JSON for a terminal or a pipe, with a final line break and every hidden character escaped. */
export function jsonText(value: unknown, indent: 0 | 2 = 2): string {
  return `${escapeHidden(JSON.stringify(value, null, indent))}\n`
}

/** Returns rows of a report as values for JSON. */
export function rowValues<Row, Read, Value>({
  count,
  row,
  read,
  json,
}: ReportRows<Row, Read, Value>): readonly Value[] {
  return Array.from({ length: count }, (_, index) => json(read(row(index))))
}
