import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { measureAdapter, type AdapterFigure } from './measure-adapter.ts'

/**
 * `node bench/adapter.ts`: one step of the AI SDK through the adapter, compared with the same tools as a
 * plain object. Prints the figures and writes `results/adapter.json`. `BENCH_DATE` overrides the date of the
 * run.
 */
const figures: AdapterFigure[] = []
for (const skills of [1000, 10_000]) figures.push(...(await measureAdapter(skills)))
const [processor] = cpus()
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: { processor: processor?.model ?? '', cores: cpus().length },
  figures,
}
writeFileSync(new URL('results/adapter.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
for (const { skills, tools, way, samples } of figures) {
  console.log(
    `${skills} skills, ${tools} tools sent, ${way}: ${samples.median} ms a step (p95 ${samples.p95})`,
  )
}
