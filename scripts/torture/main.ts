import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROJECT } from '../run-command.ts'
import { attaching } from './attaching.ts'
import { changedFolders } from './changed-folders.ts'
import { confirmationAttacks } from './confirmations/confirmation-attacks.ts'
import { damagedLines } from './damaged-lines.ts'
import { drift } from './drift.ts'
import { firstOpens } from './first-opens.ts'
import { fullDisk } from './full-disk.ts'
import { hangingHosts } from './hanging-hosts.ts'
import { killedServers } from './killed-servers.ts'
import { killedWriters } from './killed-writers.ts'
import { logAlone } from './log-alone.ts'
import { manyWriters } from './many-writers.ts'
import { racingCalls } from './racing-calls.ts'
import { failingParts } from './model/failing-parts.ts'
import { interleavings } from './model/interleavings.ts'
import { modelSequences } from './model/model-sequences.ts'
import { owners } from './owners.ts'
import { routes } from './routes.ts'
import { schemas } from './schemas.ts'
import { soak } from './soak.ts'
import type { PartRecord, TorturePart, TortureResult } from './torture-part.ts'

/** The parts, in the order in which they run and are printed. */
const PARTS: readonly TorturePart[] = [
  killedWriters,
  firstOpens,
  manyWriters,
  racingCalls,
  hangingHosts,
  killedServers,
  fullDisk,
  damagedLines,
  failingParts,
  modelSequences,
  interleavings,
  confirmationAttacks,
  attaching,
  drift,
  owners,
  changedFolders,
  routes,
  schemas,
  logAlone,
  soak,
]

/**
 * `npm run torture`: damages sessions in every known way, and writes the results to
 * bench/results/torture.json.
 *
 * npm run torture -- --only model,kills --scale 0.1 --seed 7 --minutes 3
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '60' },
    out: { type: 'string', default: join(PROJECT, 'bench', 'results', 'torture.json') },
  },
})

const seed = Number(values.seed)

const scale = Number(values.scale)

const wanted = values.only.split(',').filter((name) => name !== '')

const unknown = wanted.filter((name) => PARTS.every((part) => part.name !== name))

if (unknown.length > 0 || !(scale > 0) || !Number.isSafeInteger(seed)) {
  const names = PARTS.map(({ name }) => name).join(', ')
  console.error(`Give --only some of ${names}, a --scale above 0 and a whole --seed.`)
  process.exit(2)
}

// A run of some parts keeps the earlier results of the others.
const before = recordedBefore()

const records: PartRecord[] = []

for (const part of PARTS) {
  const known = before.find(({ name }) => name === part.name)
  if (wanted.length > 0 && !wanted.includes(part.name)) {
    if (known) records.push(known)
    continue
  }
  console.log(`\n${part.name}: ${part.claim} (seed ${seed}, scale ${scale})`)
  const began = performance.now()
  const result = await part.run({ seed, scale, forMs: Number(values.minutes) * 60_000 })
  const seconds = Math.round((performance.now() - began) / 100) / 10
  print(result, seconds)
  const { name, claim } = part
  const date = new Date().toISOString().slice(0, 10)
  records.push({ name, claim, date, seed, scale, seconds, ...result })
  write(records, before)
}

const failed = records.filter(({ failures }) => failures.length > 0)

console.log(
  failed.length === 0
    ? `\n${records.length} parts, none failed.`
    : `\nFailed: ${failed.map(({ name }) => name).join(', ')}.`,
)

process.exitCode = failed.length === 0 ? 0 : 1

function print({ figures, failures, skipped }: TortureResult, seconds: number): void {
  const rows = Object.entries({ ...figures, seconds })
  const width = Math.max(...rows.map(([what]) => what.length))
  for (const [what, figure] of rows) {
    console.log(`  ${what.padEnd(width)}  ${figure.toLocaleString('en')}`)
  }
  if (skipped !== undefined) console.log(`  skipped: ${skipped}`)
  for (const failure of failures.slice(0, 5)) console.log(`  FAILED: ${failure}`)
}

function recordedBefore(): readonly PartRecord[] {
  try {
    const { parts } = JSON.parse(readFileSync(values.out, 'utf8')) as { parts: PartRecord[] }
    return parts
  } catch {
    return []
  }
}

/** Writes after each part, so that a stopped run leaves the results so far. */
function write(done: readonly PartRecord[], known: readonly PartRecord[]): void {
  const later = known.filter(({ name }) => done.every((one) => one.name !== name))
  const machine = {
    system: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model,
    cores: cpus().length,
  }
  const parts = [...done, ...later].filter(({ name }) => PARTS.some((part) => part.name === name))
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(
    values.out,
    `${JSON.stringify({ node: process.version, machine, parts }, null, 2)}\n`,
  )
}
