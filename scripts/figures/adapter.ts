import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/adapter.json` holds, as far as the page of figures needs it. */
interface AdapterRun {
  readonly date: string
  readonly node: string
  readonly machine: { readonly processor: string; readonly cores: number }
  readonly figures: readonly {
    readonly skills: number
    readonly tools: number
    readonly way: string
    readonly samples: { readonly median: number }
  }[]
}

/** A step of the AI SDK through the adapter, beside a plain object: `node bench/adapter.ts`. */
export const adapterSection: FiguresSection = {
  name: 'adapter',
  write: (results) => write(results as AdapterRun),
}

function write({ date, node, machine, figures }: AdapterRun): string {
  const sizes = [...new Set(figures.map(({ skills }) => skills))]
  const ways = [...new Set(figures.map(({ way }) => way))]
  const heading = ['', ...sizes.map((size) => `${size.toLocaleString('en')} skills`)]
  const rows = ways.map((way) => [
    way,
    ...sizes.map((size) => {
      const found = figures.find((one) => one.way === way && one.skills === size)
      return found ? `${Number(found.samples.median.toPrecision(2))} ms` : ''
    }),
  ])
  return `## A step of the AI SDK

Written by \`npm run figures\` from what \`node bench/adapter.ts\` measured on ${date} with Node ${node.slice(1)}
on ${machine.cores} cores of a ${machine.processor}; medians, the ways in turns. One step of \`generateText\`
with a model that answers at once and calls a tool, ${figures[0]?.tools ?? 0} tools in the request. The plain
objects check nothing, log nothing and tell the model nothing; the SDK converts zod schemas anew at every
step, which the adapter spares.

${markdownTable(heading, rows)}
`
}
