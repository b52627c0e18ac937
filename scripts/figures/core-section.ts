import { type FiguresSection, markdownTable } from './figures-section.ts'

/** The part of `bench/results/core.json` that the page needs. */
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

/** The core, compared with Carnet: `npm run bench`. */
export const coreSection: FiguresSection = {
  name: 'core',
  write: (results) => writeCore(results as CoreRun),
}

function writeCore({ date, node, machine, peers, sizes, figures }: CoreRun): string {
  const rows = [...new Set(figures.map(({ what, engine }) => `${what}|${engine}`))]
    .sort((a, b) => order(a, figures) - order(b, figures))
    .map((key) => {
      const same = figures.filter(({ what, engine }) => `${what}|${engine}` === key)
      const [first] = same
      const cells = sizes.map((size) => cell(same.find(({ skills }) => skills === size)))
      const target = first?.target ?? null
      const aim = first && target !== null ? coreAmount(target, first.unit) : ''
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

/** Returns the position of a row: in the order of measurement, ours before those of a peer. */
function order(key: string, figures: CoreRun['figures']): number {
  const names = [...new Set(figures.map(({ what }) => what))]
  const [what = '', engine] = key.split('|')
  return names.indexOf(what) * 2 + (engine === 'loadout' ? 0 : 1)
}

function cell(figure: CoreRun['figures'][number] | undefined): string {
  return figure ? coreAmount(figure.median, figure.unit) : ''
}

function coreAmount(value: number, unit: 'ms' | 'bytes'): string {
  return unit === 'bytes' ? `${(value / 1000).toFixed(1)} kB` : `${Number(value.toPrecision(2))} ms`
}

/** The part of `bench/results/manifest.json` that the page needs. */
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
  write: (results) => writeManifest(results as ManifestRun),
}

function writeManifest({ date, node, machine, peers, skills, figures }: ManifestRun): string {
  const rows = figures.map(({ what, engine, unit, median, runs, target }) => [
    what,
    engine,
    manifestAmount(median, unit),
    `${runs}`,
    target === null ? '' : manifestAmount(target, unit),
  ])
  return `## From folders to a catalog

What \`npm run bench:manifest\` measured on ${date} with Node ${node.slice(1)} on ${machine.cores} cores of
a ${machine.processor}, the load before it ${machine.loadBefore}: ${skills.toLocaleString('en')} skills with
three tools each, read from folders, built, and loaded from the manifest; medians. Carnet ${peers['carnet'] ?? ''}
was given its own manifest of the same skills in the same process. Definitions are created on first
use, so their later cost is measured too, from the parsed manifest on.

${markdownTable(['', '', 'median', 'runs', 'target'], rows)}
`
}

function manifestAmount(value: number, unit: 'ms' | 'bytes'): string {
  if (unit === 'bytes') return `${(value / 1_000_000).toFixed(1)} MB`
  return value >= 1_000 ? `${(value / 1_000).toFixed(1)} s` : `${Number(value.toPrecision(2))} ms`
}

/** The part of `bench/results/sessions.json` that the page needs. */
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

/** The logs, compared with each other: `npm run bench:sessions`. */
export const sessionsSection: FiguresSection = {
  name: 'sessions',
  write: (results) => writeSessions(results as SessionsRun),
}

function writeSessions({ date, node, machine, figures }: SessionsRun): string {
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

/** The part of `bench/results/terminal.json` that the page needs. */
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
    readonly unit: 'ms' | 'bytes' | '%' | 'frames' | 'times'
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
  write: (results) => writeTerminal(results as TerminalRun),
}

function writeTerminal({ date, node, machine, figures }: TerminalRun): string {
  const rows = figures.map(({ what, on, unit, median, p95, target, of, ofTarget }) => [
    what,
    on,
    terminalAmount(median, unit),
    terminalAmount(p95, unit),
    target === null ? '' : `${of} ${terminalAmount(target, unit)}`,
    ofTarget === null ? '' : ofTarget <= 1 ? 'met' : `missed, ${ofTarget.toFixed(1)} times`,
  ])
  const heading = ['', 'on', 'median', 'p95', 'target', '']
  return `## The terminal

What \`npm run bench:terminal\` measured on ${date} with Node ${node.slice(1)} on ${machine.cores} cores of
a ${machine.processor}, the load before it ${machine.loadBefore}. Keys: the playground on 10,002
generated tools, from the key to the last byte of the last frame it leads to. Streaming: an answer in the chat of
such a playground, while somebody types; each letter has to arrive. From the shell: the workbench, trusted.
Its first frame says what is opened; the frame with the skills follows when it is. Ink: a screen of one line, in turn.

${markdownTable(heading, rows)}
`
}

function terminalAmount(value: number, unit: string): string {
  return unit === 'bytes' ? `${Math.round(value)} B` : `${Number(value.toPrecision(3))} ${unit}`
}
