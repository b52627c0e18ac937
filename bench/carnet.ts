import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { measureCarnetSteps, type CarnetFigure } from './measure-carnet-steps.ts'

/**
 * `node bench/carnet.ts`: the class `Carnet` of `loadout/carnet` compared with the published one, and a step
 * with its tools compared with a plain object. Prints the figures and writes `results/carnet.json`.
 * `BENCH_DATE` overrides the date of the run.
 */
const [loadBefore = 0] = loadavg()
const figures: CarnetFigure[] = []
for (const entities of [1000, 10_000]) figures.push(...(await measureCarnetSteps(entities)))
const [processor] = cpus()
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: {
    processor: processor?.model ?? '',
    cores: cpus().length,
    loadBefore: Number(loadBefore.toFixed(1)),
  },
  peers: { carnet: '0.3.0' },
  figures,
}
writeFileSync(new URL('results/carnet.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
for (const { what, way, entities, samples } of figures) {
  console.log(`${entities} ${what}, ${way}: ${samples.median} ms (least ${samples.least})`)
}
