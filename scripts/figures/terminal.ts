import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/terminal.json` holds, as far as the page needs it. */
interface TerminalRun {
  readonly date: string
  readonly node: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly loadBefore: number
  }
  readonly figures: readonly {
    readonly what: string
    readonly on: string
    readonly unit: 'ms' | 'bytes'
    readonly median: number
    readonly p95: number
    readonly target: number | null
    readonly of: 'median' | 'p95'
    readonly ofTarget: number | null
  }[]
}

/** The playground: `npm run bench:terminal`. */
export const terminalSection: FiguresSection = {
  name: 'terminal',
  write: (results) => write(results as TerminalRun),
}

function write({ date, node, machine, figures }: TerminalRun): string {
  const rows = figures.map(({ what, on, unit, median, p95, target, of, ofTarget }) => [
    what,
    on,
    amount(median, unit),
    amount(p95, unit),
    target === null ? '' : `${of} ${amount(target, unit)}`,
    ofTarget === null ? '' : ofTarget <= 1 ? 'met' : `missed, ${ofTarget.toFixed(1)} times`,
  ])
  const heading = ['', 'on', 'median', 'p95', 'target', '']
  return `## The terminal

What \`npm run bench:terminal\` measured on ${date} with Node ${node.slice(1)} on ${machine.cores} cores of
a ${machine.processor}, the load before it ${machine.loadBefore}. Keys: the playground on 10,002
generated tools, from the key to the last byte of the last frame it leads to. From the shell: the
workbench, trusted.

${markdownTable(heading, rows)}
`
}

function amount(value: number, unit: 'ms' | 'bytes'): string {
  return unit === 'bytes' ? `${Math.round(value)} B` : `${Number(value.toPrecision(3))} ms`
}
