import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/core.json` holds, as far as the page needs it. */
interface CoreRun {
  readonly date: string
  readonly node: string
  readonly machine: { readonly processor: string; readonly cores: number }
  readonly peers: Readonly<Record<string, string>>
  readonly sizes: readonly number[]
  readonly figures: readonly {
    readonly engine: string
    readonly what: string
    readonly skills: number
    readonly unit: 'ms' | 'bytes'
    readonly median: number
    readonly target: number | null
  }[]
}

/** The core beside Carnet: `npm run bench`. */
export const coreSection: FiguresSection = {
  name: 'core',
  write: (results) => write(results as CoreRun),
}

function write({ date, node, machine, peers, sizes, figures }: CoreRun): string {
  const rows = [...new Set(figures.map(({ what, engine }) => `${what}|${engine}`))]
    .sort((a, b) => order(a, figures) - order(b, figures))
    .map((key) => {
      const same = figures.filter(({ what, engine }) => `${what}|${engine}` === key)
      const [first] = same
      const cells = sizes.map((size) => cell(same.find(({ skills }) => skills === size)))
      const target = first?.target ?? null
      const aim = first && target !== null ? amount(target, first.unit) : ''
      return [first?.what ?? '', first?.engine ?? '', ...cells, aim]
    })
  const heading = ['', '', ...sizes.map((size) => `${size.toLocaleString('en')} skills`), 'target']
  return `## The core

Written by \`npm run figures\` from what \`npm run bench\` measured on ${date} with Node ${node.slice(1)}
on ${machine.cores} cores of a ${machine.processor}; medians. Carnet ${peers['carnet'] ?? ''} ran in the same
process. One session with a memory log; three tools a skill. Targets are ours; an empty cell was not
measured.

${markdownTable(heading, rows)}
`
}

/** Things in the order they were measured, our own before a peer's. */
function order(key: string, figures: CoreRun['figures']): number {
  const names = [...new Set(figures.map(({ what }) => what))]
  const [what = '', engine] = key.split('|')
  return names.indexOf(what) * 2 + (engine === 'loadout' ? 0 : 1)
}

function cell(figure: CoreRun['figures'][number] | undefined): string {
  return figure ? amount(figure.median, figure.unit) : ''
}

function amount(value: number, unit: 'ms' | 'bytes'): string {
  return unit === 'bytes' ? `${(value / 1000).toFixed(1)} kB` : `${Number(value.toPrecision(2))} ms`
}
