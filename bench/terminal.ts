import { writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os'
import { printTerminal } from './print-terminal.ts'

/**
 * `npm run bench:terminal`: measures the screen of the last build, prints a table and writes
 * `results/terminal.json`. `BENCH_DATE` overrides the date of the run.
 *
 * React and the colours of Ink read the environment once, when they are loaded, so their importers are
 * imported after it is set. All colours are on, so that no byte of a real screen is missing.
 */
process.env['NODE_ENV'] = 'production'
process.env['FORCE_COLOR'] = '3'
const { measureKeys } = await import('./measure-keys.ts')
const { measureRow } = await import('./measure-row.ts')
const { measureStreaming } = await import('./measure-streaming.ts')
const { measureStart } = await import('./measure-start.ts')

const [loadBefore = 0] = loadavg()
const figures = [
  ...(await measureKeys(160, 45)),
  ...(await measureKeys(80, 24)),
  ...(await measureRow()),
  ...(await measureStreaming()),
  ...(await measureStart()),
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
