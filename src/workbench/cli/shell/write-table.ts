import { displayWidth, sanitiseLine, truncateToWidth } from '../../../entries/kit.ts'
import type { CliContext } from './cli-context.ts'
import { paint, type Paint } from './paint.ts'

const GAP = '  '

/**
 * Writes rows under titles, in columns as wide as their widest cell. The texts are sanitised.
 *
 * On a terminal, a line that is too long is cut with an ellipsis, so the least important column
 * comes last. No other column takes more than half of the width, so that one long name does not
 * hide the rest. In a pipe nothing is cut.
 */
export function writeTable(
  titles: readonly string[],
  rows: readonly (readonly (
    string | { readonly text: string; readonly colour?: Paint | undefined }
  )[])[],
  context: Pick<CliContext, 'stdout' | 'isTerminal' | 'columns' | 'colour'>,
): void {
  const head = titles.map((text) => ({ text, colour: 'bold' }) as const)
  const lines = [head, ...rows].map((row) =>
    row.map((cell) => {
      const { text, colour = undefined } = typeof cell === 'string' ? { text: cell } : cell
      return { text: sanitiseLine(text), colour }
    }),
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
      const cell = truncateToWidth(text, width)
      const padded = isLast ? text : cell + ' '.repeat(width - displayWidth(cell)) + GAP
      const shown = truncateToWidth(padded, left)
      left -= displayWidth(shown)
      written += paint(shown, colour, context)
    }
    context.stdout.write(`${context.colour ? written : written.trimEnd()}\n`)
  }
}
