import { TARGETS, type Figure } from './figure.ts'

const WIDTHS = [38, 8, 8, 11, 11, 8, 10] as const
const HEADINGS = ['', 'engine', 'skills', 'median', 'p95', 'runs', 'target']

/** Returns the figures as an aligned table, those of one thing together. */
export function printFigures(figures: readonly Figure[]): string {
  const rows = Object.keys(TARGETS).flatMap((what) =>
    figures.filter((figure) => figure.what === what).map(cellsOf),
  )
  return [HEADINGS, ...rows].map(line).join('\n')
}

function cellsOf(figure: Figure): readonly string[] {
  const { what, engine, skills, median, p95, unit, runs, target } = figure
  const numbers = [median, p95].map((value) => amount(value, unit))
  const aim = target === null ? '' : amount(target, unit)
  return [what, engine, `${skills}`, ...numbers, `${runs}`, aim, verdictOf(figure)]
}

/** Describes the figures that miss their target, and by how much. */
function verdictOf({ ofTarget }: Figure): string {
  if (ofTarget === null) return ''
  return ofTarget <= 1 ? 'met' : `missed, ${ofTarget.toFixed(1)} times`
}

function amount(value: number, unit: Figure['unit']): string {
  return unit === 'bytes' ? `${Math.round(value)} B` : `${value.toPrecision(3)} ms`
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
