import { type FiguresSection, markdownTable } from './figures-section.ts'

/** The part of `bench/results/adapter.json` that the page needs. */
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

/** A step of the AI SDK through the adapter, compared with a plain object: `node bench/adapter.ts`. */
export const adapterSection: FiguresSection = {
  name: 'adapter',
  write: (results) => writeAdapter(results as AdapterRun),
}

function writeAdapter({ date, node, machine, figures }: AdapterRun): string {
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
on ${machine.cores} cores of a ${machine.processor}; medians, the variants in turns. One step of \`generateText\`
with a model that answers at once and calls a tool, ${figures[0]?.tools ?? 0} tools in the request. The plain
objects check nothing, log nothing and add nothing to the prompt; the SDK converts zod schemas again at every
step, which the adapter avoids.

${markdownTable(heading, rows)}
`
}

/** The part of `bench/results/carnet.json` that the page needs. */
interface CarnetRun {
  readonly date: string
  readonly node: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly loadBefore: number
  }
  readonly peers: { readonly carnet: string }
  readonly figures: readonly {
    readonly what: string
    readonly way: string
    readonly entities: number
    readonly samples: { readonly median: number; readonly least: number }
  }[]
}

/** The class of `loadout/carnet`, compared with the published one: `node bench/carnet.ts`. */
export const carnetSection: FiguresSection = {
  name: 'carnet',
  write: (results) => writeCarnet(results as CarnetRun),
}

function writeCarnet({ date, node, machine, peers, figures }: CarnetRun): string {
  const sizes = [...new Set(figures.map(({ entities }) => entities))]
  const heading = ['', '', ...sizes.map((size) => `${size.toLocaleString('en')} entities`)]
  const rows = figures
    .filter(({ entities }) => entities === sizes[0])
    .map(({ what, way }) => [
      what,
      way,
      ...sizes.map((size) => {
        const is = (one: (typeof figures)[number]) =>
          one.what === what && one.way === way && one.entities === size
        return amount(figures.find(is)?.samples)
      }),
    ])
  return `## The class Carnet

Written by \`npm run figures\` from what \`node bench/carnet.ts\` measured on ${date} with Node ${node.slice(1)}
on ${machine.cores} cores of a ${machine.processor}, the load before it ${machine.loadBefore}; medians, the least in
brackets, the variants in turns. Entities are skills with three tools each, or the tools of one skill; the
host gives all tools at every step. A step is one of \`generateText\` with a model that answers at once. Carnet is ${peers.carnet}; a plain object is the result of one call of
getTools.

${markdownTable(heading, rows)}
`
}

function amount(samples: { readonly median: number; readonly least: number } | undefined): string {
  if (samples === undefined) return ''
  const [median, least] = [samples.median, samples.least].map((value) => value.toPrecision(3))
  return `${Number(median)} ms (${Number(least)})`
}
