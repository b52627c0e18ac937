import { type FiguresSection, markdownTable } from './figures-section.ts'

/** The part of `bench/results/steps.json` that the page needs. */
interface StepsRun {
  readonly date: string
  readonly node: string
  readonly machine: { readonly processor: string; readonly cores: number }
  readonly steps: number
  readonly figures: readonly {
    readonly what: string
    readonly statements: number
    readonly opening: number
    readonly cpuMs: number
  }[]
}

/** The cost of a step for a database: `npm run bench:steps`. */
export const stepsSection: FiguresSection = {
  name: 'steps',
  write: (results) => writeSteps(results as StepsRun),
}

function writeSteps({ date, node, machine, steps, figures }: StepsRun): string {
  const rows = figures.map(({ what, statements, opening, cpuMs }) => [
    what,
    String(statements),
    opening === 0 ? '' : String(opening),
    `${cpuMs} ms`,
  ])
  return `## A step on PostgreSQL

What \`npm run bench:steps\` counted on ${date} with Node ${node.slice(1)} on ${machine.cores} cores of a ${machine.processor}:
the mean of ${steps} steps. A step is one request with one call, and messages of 400 characters; no model was asked. Each
statement is a round trip. A workspace that is opened for each step is what [durable steps](durable-steps.md) need. Targets:
4 statements kept open, 5 opened for the step, of which 1 opens it.

${markdownTable(['', 'statements', 'of which to open', 'processor time of Node'], rows)}
`
}
