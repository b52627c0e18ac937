import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { WIRE_DRIVERS } from '../../tests/connections/wires/wire-sessions/wire-drivers.ts'
import { PROJECT } from '../run-command.ts'
import { brokenStreams } from './broken-streams.ts'
import { costOfAStep } from './cost-of-a-step.ts'
import { keptByStrategy } from './kept-by-strategy.ts'
import { largeImage } from './large-image.ts'
import { ledgerOnTheSocket } from './ledger-on-the-socket.ts'
import { legalNames } from './legal-names.ts'
import { pricesEverywhere } from './prices-everywhere.ts'
import { sameTools } from './same-tools.ts'
import { skillPlans } from './skill-plans.ts'
import { spansOfCalls } from './spans-of-calls.ts'
import type { WirePart, WireRecord } from './wire-part.ts'

/** The parts, in the order in which they run and are printed. */
const PARTS: readonly WirePart[] = [
  ...WIRE_DRIVERS.map(ledgerOnTheSocket),
  sameTools,
  keptByStrategy,
  legalNames,
  largeImage,
  brokenStreams,
  spansOfCalls,
  pricesEverywhere,
  skillPlans,
  costOfAStep,
]

/**
 * `npm run wires`: compares what adapters send with what the workspace says of it, and writes the results to
 * bench/results/wires.json.
 *
 * npm run wires -- --only ledger --sessions 20 --seed 7
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sessions: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: join(PROJECT, 'bench', 'results', 'wires.json') },
  },
})

const [sessions, seed] = [Number(values.sessions), Number(values.seed)]

const chosen = PARTS.filter(({ name }) => name.startsWith(values.only))

if (chosen.length === 0 || !Number.isSafeInteger(seed) || !(sessions > 0)) {
  const names = PARTS.map(({ name }) => name).join('\n  ')
  console.error(`Give --only the beginning of a name, --sessions above 0 and a --seed.\n  ${names}`)
  process.exit(2)
}

let failed = 0

for (const { name, claim, columns, run } of chosen) {
  console.log(`\n${name} (${sessions} sessions, seed ${seed})`)
  const began = performance.now()
  const result = await run({ sessions, seed })
  const seconds = Math.round((performance.now() - began) / 100) / 10
  for (const row of result.rows) {
    console.log(`  ${row.map((cell, index) => `${columns[index]}: ${cell}`).join('; ')}`)
  }
  const { checked = 0, refused = 0 } = result.bodies ?? {}
  if (checked > 0) console.log(`  bodies checked: ${checked}; refused: ${refused}`)
  for (const failure of result.failures.slice(0, 5)) console.log(`  FAILED: ${failure}`)
  failed += result.failures.length
  const date = new Date().toISOString().slice(0, 10)
  write({ name, claim, columns, date, seconds, sessions, seed, ...result })
}

process.exitCode = failed === 0 ? 0 : 1

/** Writes after each part. Other parts keep their results, also those of a run at the same time. */
function write(record: WireRecord): void {
  const others = recordedBefore().filter(({ name }) => name !== record.name)
  const records = [...others, { ...record, failures: record.failures.slice(0, 5) }]
  const parts = PARTS.flatMap((part) => records.find(({ name }) => name === part.name) ?? [])
  const machine = {
    system: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model,
    cores: cpus().length,
  }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(
    values.out,
    `${JSON.stringify({ node: process.version, machine, parts }, null, 2)}\n`,
  )
}

function recordedBefore(): readonly WireRecord[] {
  try {
    const { parts } = JSON.parse(readFileSync(values.out, 'utf8')) as { parts: WireRecord[] }
    return parts
  } catch {
    return []
  }
}
