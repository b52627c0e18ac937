import { findHidden } from '../../../entries/definitions.ts'
import type { ReportRows } from '../report.ts'

/**
 * Writes a value as JSON for a terminal or a pipe, with a final line break.
 *
 * `JSON.stringify` leaves most characters that control a terminal, or are invisible, unescaped. Every
 * character that `findHidden` finds is escaped here, and a parser still reads the same value.
 */
export function jsonText(value: unknown, indent: 0 | 2 = 2): string {
  const written = JSON.stringify(value, null, indent)
  let text = ''
  let from = 0
  for (const { codePoint, index } of findHidden(written)) {
    const end = index + (codePoint > 0xffff ? 2 : 1)
    text += written.slice(from, index)
    for (let unit = index; unit < end; unit += 1) {
      text += `\\u${written.charCodeAt(unit).toString(16).padStart(4, '0')}`
    }
    from = end
  }
  return `${text}${written.slice(from)}\n`
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
