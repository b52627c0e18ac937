import { writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'
import { generateSkills } from './generate-skills.ts'
import { measureCarnet } from './measure-carnet.ts'
import { measureLoadout } from './measure-loadout.ts'
import { printFigures } from './print-figures.ts'

/**
 * `npm run bench`: measures the core and Carnet in one process, prints a table and writes
 * `results/core.json`. `BENCH_DATE` overrides the date of the run.
 */
const SIZES = [100, 1_000, 10_000]

const figures = []
for (const size of SIZES) {
  const texts = generateSkills(size)
  figures.push(...(await measureLoadout(texts)), ...(await measureCarnet(texts)))
}
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: {
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
  },
  peers: { carnet: '0.3.0' },
  sizes: SIZES,
  figures,
}
writeFileSync(new URL('results/core.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
console.log(printFigures(figures))
