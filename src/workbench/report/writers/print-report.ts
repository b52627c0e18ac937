import { displayWidth, sanitiseLine, sanitiseText, truncateToWidth } from '../../../entries/kit.ts'
import { cellText, type Report, type ReportNode, type ReportTone } from '../report.ts'
import { paint, type Paint } from './paint.ts'

/** A destination for text, and its room. */
interface TextOutput {
  readonly stdout: { write(text: string): unknown }
  /** True for a terminal: only then are lines cut to `columns`. */
  readonly isTerminal: boolean
  readonly columns: number
  readonly colour: boolean
}

/** Writes a report for a terminal or a pipe. */
export function printReport(report: Report, output: TextOutput): void {
  for (const node of report) {
    if (node.kind !== 'rows') {
      const line = nodeLine(node, output)
      const isCut = output.isTerminal && node.kind === 'text' && node.isCut === true
      output.stdout.write(`${isCut ? truncateToWidth(line, output.columns) : line}\n`)
    } else {
      const { columns, count } = node
      const shown = columns.filter(({ screenOnly }) => screenOnly !== true)
      writeTable(
        shown.map(({ title }) => title),
        Array.from({ length: count }, (_, index) => {
          const read = node.read(node.row(index))
          return shown.map((column) => {
            const cell = column.cell(read)
            const tone = typeof cell === 'object' ? cell?.tone : undefined
            return { text: cellText(cell, String), colour: tone && PAINTS[tone] }
          })
        }),
        output,
      )
    }
  }
}

/** Writes what is not in rows, line by line, for a text that is read on a screen. */
export function reportLines(report: Report): readonly string[] {
  return report.flatMap((node) =>
    node.kind === 'rows' ? [] : nodeLine(node, { colour: false }).split('\n'),
  )
}

const PAINTS: Readonly<Record<ReportTone, Paint>> = {
  accent: 'bold',
  good: 'green',
  asking: 'magenta',
  bad: 'red',
  warning: 'yellow',
  price: 'cyan',
}

function nodeLine(
  node: Exclude<ReportNode, { readonly kind: 'rows' }>,
  output: Pick<TextOutput, 'colour'>,
): string {
  const text = sanitiseLine(node.text)
  switch (node.kind) {
    case 'heading': {
      const title = paint(text, 'bold', output)
      if (node.value === undefined) return title
      const { text: value, tone } = node.value
      return `${title}: ${paint(sanitiseLine(value), tone && PAINTS[tone], output)}`
    }
    case 'text': {
      const lines = node.isWhole === true ? sanitiseText(node.text).replaceAll('\t', '  ') : text
      return node.indented === true ? lines.replaceAll(/^/gm, '  ') : lines
    }
    case 'action':
      return `fix: ${text}`
  }
}

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
  output: TextOutput,
): void {
  const head = titles.map((text) => ({ text, colour: 'bold' }) as const)
  const lines = [head, ...rows].map((row) =>
    row.map((cell) => {
      const { text, colour = undefined } = typeof cell === 'string' ? { text: cell } : cell
      return { text: sanitiseLine(text), colour }
    }),
  )
  const most = output.isTerminal ? Math.floor(output.columns / 2) : Number.POSITIVE_INFINITY
  const widths = titles.map((_title, column) =>
    Math.min(most, Math.max(...lines.map((row) => displayWidth(row[column]?.text ?? '')))),
  )
  for (const row of lines) {
    let left = output.isTerminal ? output.columns : Number.POSITIVE_INFINITY
    let written = ''
    for (const [column, { text, colour }] of row.entries()) {
      if (left <= 0) break
      const isLast = column === row.length - 1
      const width = widths[column] ?? 0
      const cell = truncateToWidth(text, width)
      const padded = isLast ? text : cell + ' '.repeat(width - displayWidth(cell)) + GAP
      const shown = truncateToWidth(padded, left)
      left -= displayWidth(shown)
      written += paint(shown, colour, output)
    }
    output.stdout.write(`${output.colour ? written : written.trimEnd()}\n`)
  }
}
