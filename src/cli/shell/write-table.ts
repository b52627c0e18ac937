import { displayWidth, padToWidth, truncateToWidth } from '../../kernel/display-width.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { CliContext } from './cli-context.ts'
import { paint, type Paint } from './paint.ts'

/** Text from anywhere; it is made safe when the table is written. */
export interface TextCell {
  readonly text: string
  readonly colour?: Paint
}

const GAP = '  '

/**
 * Write rows under titles, in columns as wide as their widest cell.
 *
 * On a terminal a line that is too long ends with an ellipsis, so what matters least stands
 * last, and no column but the last takes more than half of it, so that one long name hides nothing
 * of the others; into a pipe every line is whole.
 */
export function writeTable(
  titles: readonly string[],
  rows: readonly (readonly TextCell[])[],
  context: Pick<CliContext, 'stdout' | 'isTerminal' | 'columns' | 'colour'>,
): void {
  const head = titles.map((text): TextCell => ({ text, colour: 'bold' }))
  const lines = [head, ...rows].map((row) =>
    row.map(({ text, ...rest }) => ({ text: sanitiseLine(text), ...rest })),
  )
  const most = context.isTerminal ? Math.floor(context.columns / 2) : Number.POSITIVE_INFINITY
  const widths = titles.map((_title, column) =>
    Math.min(most, Math.max(...lines.map((row) => displayWidth(row[column]?.text ?? '')))),
  )
  for (const row of lines) {
    let left = context.isTerminal ? context.columns : Number.POSITIVE_INFINITY
    let written = ''
    for (const [column, { text, colour }] of row.entries()) {
      if (left <= 0) break
      const isLast = column === row.length - 1
      const width = widths[column] ?? 0
      const padded = isLast ? text : padToWidth(truncateToWidth(text, width), width) + GAP
      const shown = truncateToWidth(padded, left)
      left -= displayWidth(shown)
      written += paint(shown, colour, context)
    }
    context.stdout.write(`${context.colour ? written : written.trimEnd()}\n`)
  }
}
