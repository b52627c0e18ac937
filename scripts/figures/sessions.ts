import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/sessions.json` holds, as far as the page needs it. */
interface SessionsRun {
  readonly date: string
  readonly node: string
  readonly machine: { readonly processor: string; readonly cores: number }
  readonly figures: readonly {
    readonly log: string
    readonly what: string
    readonly value: number
    readonly unit: string
  }[]
}

/** Logs beside each other: `npm run bench:sessions`. */
export const sessionsSection: FiguresSection = {
  name: 'sessions',
  write: (results) => write(results as SessionsRun),
}

function write({ date, node, machine, figures }: SessionsRun): string {
  const logs = [...new Set(figures.map(({ log }) => log))]
  const rows = [...new Set(figures.map(({ what }) => what))].map((what) => [
    what,
    ...logs.map((log) => {
      const figure = figures.find((one) => one.what === what && one.log === log)
      return figure ? `${figure.value.toLocaleString('en')} ${figure.unit}` : ''
    }),
  ])
  return `## Sessions

Written by \`npm run figures\` from what \`npm run bench:sessions\` measured on ${date} with Node ${node.slice(1)}
on ${machine.cores} cores of a ${machine.processor}; medians. Entries of about 400 bytes, one an append. PostgreSQL 18
ran on the same machine, so no network is in its figures. \`full\` is forced to the disk, \`os\` is not; see
[sessions.md](sessions.md).

${markdownTable(['', ...logs], rows)}
`
}
