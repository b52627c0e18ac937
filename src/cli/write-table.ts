import { displayWidth, padToWidth, truncateToWidth } from '../kernel/display-width.ts'
import { sanitiseLine } from '../kernel/sanitise-line.ts'
import type { CliContext } from './cli-context.ts'
import { paint, type Paint } from './paint.ts'

/** Text from anywhere; it is made safe when the table is written. */
export interface Cell {
  readonly text: string
  readonly colour?: Paint
}

const GAP = '  '

/**
 * Write rows under titles, in columns as wide as their widest cell.
 *
 * On a terminal a line that is too long ends with an ellipsis, so what matters least stands
 * last; into a pipe every line is whole.
 */
export function writeTable(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  context: Pick<CliContext, 'stdout' | 'isTerminal' | 'columns' | 'colour'>,
): void {
  const head = titles.map((text): Cell => ({ text, colour: 'bold' }))
  const lines = [head, ...rows].map((row) =>
    row.map(({ text, ...rest }) => ({ text: sanitiseLine(text), ...rest })),
  )
  const widths = titles.map((_title, column) =>
    Math.max(...lines.map((row) => displayWidth(row[column]?.text ?? ''))),
  )
  for (const row of lines) {
    let left = context.isTerminal ? context.columns : Number.POSITIVE_INFINITY
    let written = ''
    for (const [column, { text, colour }] of row.entries()) {
      if (left <= 0) break
      const isLast = column === row.length - 1
      const padded = isLast ? text : padToWidth(text, widths[column] ?? 0) + GAP
      const shown = truncateToWidth(padded, left)
      left -= displayWidth(shown)
      written += paint(shown, colour, context)
    }
    context.stdout.write(`${context.colour ? written : written.trimEnd()}\n`)
  }
}
