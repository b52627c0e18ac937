import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PROJECT } from '../run-command.ts'
import type { PartRecord, TorturePart, TortureResult } from './torture-part.ts'
import { TORTURE_PARTS } from './torture-parts.ts'

const RECORD = join(PROJECT, 'bench', 'results', 'torture.json')

/**
 * `npm run torture`: damages sessions in every known way, and writes the results to
 * bench/results/torture.json. Each part runs in a process of its own, as many at once as there are cores.
 *
 * npm run torture -- --only model,kills --scale 0.1 --seed 7 --minutes 3 --jobs 1 --out /tmp/torture.json
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '60' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    out: { type: 'string', default: RECORD },
  },
})

const seed = Number(values.seed)

const scale = Number(values.scale)

const jobs = Number(values.jobs)

const wanted = values.only.split(',').filter((name) => name !== '')

const unknown = wanted.filter((name) => TORTURE_PARTS.every((part) => part.name !== name))

if (unknown.length > 0 || !(scale > 0) || !Number.isSafeInteger(seed) || !(jobs >= 1)) {
  const names = TORTURE_PARTS.map(({ name }) => name).join(', ')
  console.error(`Give --only some of ${names}, a --scale above 0, whole --jobs and a whole --seed.`)
  process.exit(2)
}

// What is recorded must be of a commit that others can check out.
if (resolve(values.out) === RECORD && isChanged()) {
  console.error(
    'src, scripts or tests have changes that are not committed. Commit them, or give --out <file>.',
  )
  process.exit(2)
}

// A run of some parts keeps the earlier results of the others.
const records = new Map(recordedBefore().map((record) => [record.name, record]))

const chosen = TORTURE_PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

// The longest first, so that the others run while it does.
const waiting = chosen.toSorted((a, b) => secondsBefore(b) - secondsBefore(a))

await Promise.all(Array.from({ length: jobs }, runParts))

const failed = chosen.filter(({ name }) => records.get(name)?.failures.length !== 0)

console.log(
  failed.length === 0
    ? `\nParts: ${chosen.length}. None failed.`
    : `\nFailed: ${failed.map(({ name }) => name).join(', ')}.`,
)

process.exitCode = failed.length === 0 ? 0 : 1

/**
 * Runs parts, one after another, until none is waiting. Writes after each, so that a stopped run leaves the results so
 * far.
 */
async function runParts(): Promise<void> {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const { name, claim } = part
    const began = performance.now()
    const before = checkedOut()
    const result = await runPart(part)
    const seconds = Math.round((performance.now() - began) / 100) / 10
    print(part, result, seconds)
    const date = new Date().toISOString().slice(0, 10)
    const after = checkedOut()
    // Processes of the part load their code when they start.
    const commit = before === after ? after : `${before}, changed`
    records.set(name, { name, claim, date, commit, seed, scale, seconds, ...result })
    write()
  }
}

/** Returns the commit that is checked out, and if it has changes. */
function checkedOut(): string {
  const commit = git('describe', '--always')
  return isChanged() ? `${commit}, changed` : commit
}

function isChanged(): boolean {
  return git('status', '--porcelain', 'src', 'scripts', 'tests') !== ''
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim()
}

async function runPart({ name }: TorturePart): Promise<TortureResult> {
  const program = new URL('run-part.ts', import.meta.url)
  const given = [name, seed, scale, Number(values.minutes) * 60_000].map(String)
  const child = fork(program, given)
  let result: TortureResult | null = null
  child.on('message', (message) => (result = message as TortureResult))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (result !== null && code === 0) return result
  return { figures: {}, failures: [`its process ended with ${signal ?? `exit code ${code}`}`] }
}

function print({ name, claim }: TorturePart, result: TortureResult, seconds: number): void {
  console.log(`\n${name}: ${claim} (seed ${seed}, scale ${scale})`)
  const rows = Object.entries({ ...result.figures, seconds })
  const width = Math.max(...rows.map(([what]) => what.length))
  for (const [what, figure] of rows) {
    console.log(`  ${what.padEnd(width)}  ${figure.toLocaleString('en')}`)
  }
  if (result.skipped !== undefined) console.log(`  skipped: ${result.skipped}`)
  for (const failure of result.failures.slice(0, 5)) console.log(`  FAILED: ${failure}`)
}

/** Returns the duration of the last run of a part. */
function secondsBefore({ name }: TorturePart): number {
  return records.get(name)?.seconds ?? 0
}

function recordedBefore(): readonly PartRecord[] {
  try {
    const { parts } = JSON.parse(readFileSync(values.out, 'utf8')) as { parts: PartRecord[] }
    return parts
  } catch {
    return []
  }
}

function write(): void {
  const machine = {
    system: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model,
    cores: cpus().length,
  }
  const parts = TORTURE_PARTS.flatMap(({ name }) => records.get(name) ?? [])
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(
    values.out,
    `${JSON.stringify({ node: process.version, machine, parts }, null, 2)}\n`,
  )
}
