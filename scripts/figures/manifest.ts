import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/manifest.json` holds, as far as the page needs it. */
interface ManifestRun {
  readonly date: string
  readonly node: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly loadBefore: number
  }
  readonly peers: Readonly<Record<string, string>>
  readonly skills: number
  readonly figures: readonly {
    readonly what: string
    readonly engine: string
    readonly unit: 'ms' | 'bytes'
    readonly median: number
    readonly runs: number
    readonly target: number | null
  }[]
}

/** From folders to a manifest to a catalog: `npm run bench:manifest`. */
export const manifestSection: FiguresSection = {
  name: 'manifest',
  write: (results) => write(results as ManifestRun),
}

function write({ date, node, machine, peers, skills, figures }: ManifestRun): string {
  const rows = figures.map(({ what, engine, unit, median, runs, target }) => [
    what,
    engine,
    amount(median, unit),
    `${runs}`,
    target === null ? '' : amount(target, unit),
  ])
  return `## From folders to a catalog

What \`npm run bench:manifest\` measured on ${date} with Node ${node.slice(1)} on ${machine.cores} cores of
a ${machine.processor}, the load before it ${machine.loadBefore}: ${skills.toLocaleString('en')} skills with
three tools each, read from folders, built, and loaded from the manifest; medians. Carnet ${peers['carnet'] ?? ''}
was given its own manifest of the same skills in the same process. Definitions are made when they are
first asked for, so what that costs later is measured too, from the parsed manifest on.

${markdownTable(['', '', 'median', 'runs', 'target'], rows)}
`
}

function amount(value: number, unit: 'ms' | 'bytes'): string {
  if (unit === 'bytes') return `${(value / 1_000_000).toFixed(1)} MB`
  return value >= 1_000 ? `${(value / 1_000).toFixed(1)} s` : `${Number(value.toPrecision(2))} ms`
}
