import type { TerminalFigure } from './terminal-figure.ts'

const WIDTHS = [48, 15, 10, 10, 6, 18] as const
const HEADINGS = ['', '', 'median', 'p95', 'runs', 'target']

/** Returns the figures of the terminal as an aligned table, each with its target. */
export function printTerminal(figures: readonly TerminalFigure[]): string {
  return [HEADINGS, ...figures.map(cellsOf)].map(line).join('\n')
}

function cellsOf({ what, on, median, p95, runs, unit, target, of, ofTarget }: TerminalFigure) {
  const amount = (value: number) =>
    unit === 'bytes' ? `${Math.round(value)} B` : `${value.toPrecision(3)} ${unit}`
  const aim = target === null ? '' : `${of} ${amount(target)}`
  return [what, on, amount(median), amount(p95), `${runs}`, aim, verdictOf(ofTarget)]
}

function verdictOf(ofTarget: number | null): string {
  if (ofTarget === null) return ''
  return ofTarget <= 1 ? 'met' : `missed, ${ofTarget.toFixed(1)} times`
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const width = WIDTHS[index]
      if (width === undefined) return cell
      return index < 2 ? cell.padEnd(width) : cell.padStart(width)
    })
    .join(' ')
    .trimEnd()
}
