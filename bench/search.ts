import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { flexsearchEngine } from './search/flexsearch-engine.ts'
import { loadoutEngine } from './search/loadout-engine.ts'
import { lunrEngine } from './search/lunr-engine.ts'
import { measureNoMatch } from './search/measure-no-match.ts'
import { measureQuality } from './search/measure-quality.ts'
import { measureSize } from './search/measure-size.ts'
import { minisearchEngine } from './search/minisearch-engine.ts'
import { probeNames } from './search/name-probes.ts'
import { oramaEngine } from './search/orama-engine.ts'
import { ENGLISH_SETS, OTHER_SETS, readSearchSet } from './search/read-search-set.ts'
import { winkEngine } from './search/wink-engine.ts'

/**
 * `npm run bench:search`: compares the index with its peers on public sets: recall, names, time and memory.
 * Writes `results/search.json`. `BENCH_DATE` overrides the date of the run.
 */
const PEERS = [winkEngine, minisearchEngine, oramaEngine, flexsearchEngine, lunrEngine]
const ENGINES = [loadoutEngine, ...PEERS]
const SIZES = [500, 5_000, 50_000]
const PROBED = 'livemcp'

const loadBefore = Number((loadavg()[0] ?? 0).toFixed(1))
const quality = []
for (const set of [...ENGLISH_SETS, ...OTHER_SETS]) {
  for (const engine of ENGINES) {
    const figure = await measureQuality(engine, set)
    quality.push(figure)
    console.log(set, engine.name, 'recall@5', figure.recall5, 'nDCG@10', figure.ndcg10)
  }
}
const probes = []
const { documents } = readSearchSet(PROBED)
for (const engine of ENGINES) {
  const index = await engine.build(documents)
  probes.push(
    ...(await probeNames(
      engine.name,
      index,
      documents.map(({ name }) => name),
    )),
  )
}
console.table(probes)
const noMatch = []
for (const set of ENGLISH_SETS) noMatch.push(await measureNoMatch(set))
console.table(noMatch)
const sizes = []
for (const tools of SIZES) {
  for (const engine of ENGINES) {
    const figure = await measureSize(engine, tools)
    sizes.push(figure)
    console.log(JSON.stringify(figure))
  }
}
const { dependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
) as { readonly dependencies: Readonly<Record<string, string>> }
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadBefore,
  },
  peers: Object.fromEntries(
    PEERS.map(({ name }) => [name, dependencies[name] ?? dependencies[`@${name}/${name}`] ?? '']),
  ),
  english: ENGLISH_SETS,
  others: OTHER_SETS,
  quality,
  probes,
  noMatch,
  sizes,
}
writeFileSync(new URL('results/search.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
