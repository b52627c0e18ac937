import { writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os'
import { printTerminal } from './print-terminal.ts'

/**
 * `npm run bench:terminal`: measure the screen of the last build, print a table and write
 * `results/terminal.json`. `BENCH_DATE` gives the run another date than today's.
 *
 * React and what colours for Ink read the environment once, as they are loaded: what imports them
 * is imported after it says so. All colours there are, so that no byte of a real screen is missing.
 */
process.env['NODE_ENV'] = 'production'
process.env['FORCE_COLOR'] = '3'
const { measureKeys } = await import('./measure-keys.ts')
const { measureRow } = await import('./measure-row.ts')
const { measureStart } = await import('./measure-start.ts')

const [loadBefore = 0] = loadavg()
const figures = [
  ...(await measureKeys(160, 45)),
  ...(await measureKeys(80, 24)),
  ...(await measureRow()),
  ...measureStart(),
]
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: {
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    loadBefore: Number(loadBefore.toFixed(1)),
  },
  figures,
}
writeFileSync(
  new URL('results/terminal.json', import.meta.url),
  `${JSON.stringify(run, null, 2)}\n`,
)
console.log(printTerminal(figures))
