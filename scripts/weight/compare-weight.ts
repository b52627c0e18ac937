import type { Weight } from './measure-weight.ts'

/** The contents of `weight.json`. */
export interface WeightLedger {
  /** The most that each figure may be, without its raises. */
  readonly figures: Weight
  readonly raises: readonly Raise[]
}

/** The permission of one figure to rise. */
interface Raise {
  /** The name of a figure. */
  readonly figure: string
  readonly by: number
  /** The number of an open issue. */
  readonly issue: number
  /** The row of its table that is worth the rise. */
  readonly row: string
}

/** A ledger and a measurement, compared. */
export interface WeightReport {
  /** One sentence for each figure that rose, and for each line that is wrong. */
  readonly problems: readonly string[]
  /** The sum of the raises of each issue, such as `issue 34: 3 raises, +120 code lines`. */
  readonly raised: readonly string[]
  /** Figures below their lines: `npm run weight` lowers these lines. */
  readonly lower: readonly string[]
}

/** Compares what was measured with what is allowed. */
export function compareWeight(measured: Weight, ledger: WeightLedger): WeightReport {
  const problems: string[] = []
  const lower: string[] = []
  for (const [figure, value] of Object.entries(measured)) {
    const line = ledger.figures[figure]
    if (line === undefined) {
      problems.push(`"${figure}" has no line. "npm run weight" writes it if its sum did not rise.`)
      continue
    }
    const limit = line + raisesOfFigure(ledger, figure)
    if (value > limit) {
      problems.push(
        `"${figure}" is ${value}, at most ${limit} are allowed. Take away as much elsewhere, or add a raise that names the row of an open issue.`,
      )
    }
    if (value < limit) lower.push(`"${figure}" is ${value}, its limit is ${limit}`)
  }
  for (const figure of Object.keys(ledger.figures)) {
    if (measured[figure] === undefined)
      problems.push(`"${figure}" is measured no longer. "npm run weight" removes its line.`)
  }
  for (const { figure, by, issue, row } of ledger.raises) {
    if (ledger.figures[figure] === undefined)
      problems.push(`A raise names "${figure}", which has no line.`)
    if (by <= 0 || !Number.isInteger(by) || !Number.isInteger(issue) || row.trim() === '') {
      problems.push(`The raise of "${figure}" needs a whole number above 0, an issue and its row.`)
    }
  }
  return { problems, raised: sumRaises(ledger.raises), lower }
}

function raisesOfFigure({ raises }: WeightLedger, figure: string): number {
  return raises.reduce((sum, raise) => sum + (raise.figure === figure ? raise.by : 0), 0)
}

function sumRaises(raises: readonly Raise[]): readonly string[] {
  return [...Map.groupBy(raises, ({ issue }) => issue)].map(([issue, all]) => {
    const lines = all.filter(({ figure }) => figure === 'code lines')
    const code = lines.reduce((sum, { by }) => sum + by, 0)
    return `issue ${issue}: ${all.length} raises, +${code} code lines`
  })
}

/**
 * Returns the ledger with each line lowered to what was measured. No line rises.
 *
 * A raise is used up first: what a figure falls is taken from its line, so that the raise keeps its place in the file until
 * its issue ends. A figure that is new, such as that of a new room, gets a line when the figure that it is a part of
 * did not rise.
 */
export function lowerWeight(measured: Weight, ledger: WeightLedger): WeightLedger {
  const { problems } = compareWeight(measured, ledger)
  const figures = Object.entries(measured).flatMap(([figure, value]): [string, number][] => {
    const line = ledger.figures[figure]
    if (line !== undefined)
      return [[figure, Math.min(line, value - raisesOfFigure(ledger, figure))]]
    const whole = figure.split(', ').slice(0, -1).join(', ')
    const hasRisen = problems.some((problem) => problem.startsWith(`"${whole}" is `))
    return hasRisen || ledger.figures[whole] === undefined ? [] : [[figure, value]]
  })
  return { figures: Object.fromEntries(figures), raises: ledger.raises }
}
