import { type FiguresSection, markdownTable } from './figures-section.ts'

/** The part of `bench/results/search.json` that the page needs. */
interface SearchRun {
  readonly date: string
  readonly node: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly loadBefore: number
  }
  readonly peers: Readonly<Record<string, string>>
  readonly english: readonly string[]
  readonly others: readonly string[]
  readonly quality: readonly Quality[]
  readonly probes: readonly {
    readonly engine: string
    readonly probe: string
    readonly found: number
  }[]
  readonly noMatch: readonly {
    readonly set: string
    readonly wanted: number
    readonly precision: number | null
    readonly recall: number | null
  }[]
  readonly sizes: readonly {
    readonly engine: string
    readonly tools: number
    readonly search: { readonly p50: number; readonly p99: number }
    readonly build: number
    readonly buildCpu: number
    readonly heap: number
    readonly addAndRemove: { readonly median: number } | null
  }[]
}

interface Quality {
  readonly engine: string
  readonly set: string
  readonly recall5: number
  readonly ndcg10: number
}

type Measure = 'recall5' | 'ndcg10'

/** The index, compared with other search engines: `npm run bench:search`. */
export const searchSection: FiguresSection = {
  name: 'search',
  write: (results) => write(results as SearchRun),
}

function write(run: SearchRun): string {
  const { date, node, machine, peers, noMatch } = run
  const versions = Object.entries(peers).map(([name, version]) => `${name} ${version}`)
  return `## Search

What \`npm run bench:search\` measured on ${date} with Node ${node.slice(1)} on ${machine.cores} cores of a
${machine.processor}, the load before it ${machine.loadBefore}, compared with ${versions.join(', ')}. Every engine got the
same texts, identifiers in parts; the peers stem and leave out stop words.

Recall of the first five:

${qualityTable(run, 'recall5')}

nDCG of the first ten:

${qualityTable(run, 'ndcg10')}

The ratio is to the mean of each set's best peer; the target is 1.05.

The tools of \`livemcp\` called by name: first of all, and of six names at once among the first ten:

${probeTable(run)}

Small talk among the requests of a set, and how well "nothing fits" was recognised:

${markdownTable(
  ['set', 'small talk', 'precision', 'recall'],
  noMatch.map(({ set, wanted, precision, recall }) => [
    set,
    String(wanted),
    share(precision),
    share(recall),
  ]),
)}

Time and memory, one document added and removed again; the targets at 50,000 tools are 1.5 and
6 ms a search, 1.2 s, 60 MB and 1 ms. When the machine was busy, a build took longer than its
processor time, which is also shown:

${sizeTable(run)}
`
}

function qualityTable({ english, others, quality }: SearchRun, measure: Measure): string {
  const engines = [...new Set(quality.map(({ engine }) => engine))]
  const of = (engine: string, set: string) =>
    quality.find((one) => one.engine === engine && one.set === set)?.[measure] ?? 0
  const mean = (value: (set: string) => number) =>
    english.reduce((sum, set) => sum + value(set), 0) / english.length
  const [, ...peers] = engines
  const best = mean((set) => Math.max(...peers.map((engine) => of(engine, set))))
  const heading = ['', ...english, 'mean', 'ratio', ...others]
  const rows = engines.map((engine) => {
    const mine = mean((set) => of(engine, set))
    return [
      engine,
      ...english.map((set) => share(of(engine, set))),
      share(mine),
      (mine / best).toFixed(3),
      ...others.map((set) => share(of(engine, set))),
    ]
  })
  return markdownTable(heading, rows)
}

function probeTable({ probes }: SearchRun): string {
  const engines = [...new Set(probes.map(({ engine }) => engine))]
  const kinds = [...new Set(probes.map(({ probe }) => probe))]
  const of = (engine: string, probe: string) =>
    probes.find((one) => one.engine === engine && one.probe === probe)?.found ?? null
  return markdownTable(
    ['', ...kinds],
    engines.map((engine) => [engine, ...kinds.map((probe) => share(of(engine, probe)))]),
  )
}

function sizeTable({ sizes }: SearchRun): string {
  return markdownTable(
    ['tools', 'engine', 'p50', 'p99', 'build', 'of it processor', 'room', 'one in and out'],
    sizes.map(({ tools, engine, search, build, buildCpu, heap, addAndRemove }) => [
      tools.toLocaleString('en'),
      engine,
      `${short(search.p50)} ms`,
      `${short(search.p99)} ms`,
      `${short(build)} ms`,
      `${short(buildCpu)} ms`,
      `${(heap / 1e6).toFixed(1)} MB`,
      addAndRemove === null ? 'a new index' : `${short(addAndRemove.median)} ms`,
    ]),
  )
}

function share(value: number | null): string {
  return value === null ? '' : value.toFixed(3).replace(/^0/, '')
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
