import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROJECT } from '../run-command.ts'
import { runClientSuites, runSkillScenarios } from './client-suites.ts'
import type { ConformancePart, ConformanceRecord } from './conformance-part.ts'
import { faultyServers } from './faulty-servers.ts'
import { foreignClients } from './foreign-clients.ts'
import { fullTests } from './full-tests.ts'
import { serverSuites } from './server-suites.ts'

/**
 * `npm run conformance`: runs the conformance suites of the Model Context Protocol, clients of others, and what is
 * claimed about servers, in its full size. Writes the results to bench/results/conformance.json.
 *
 * npm run conformance -- --only server
 */
const PARTS: Readonly<Record<string, ConformancePart>> = {
  server: serverSuites,
  clients: foreignClients,
  client: clientSuites,
  faults: faultyServers,
  tests: fullTests,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    out: { type: 'string', default: join(PROJECT, 'bench', 'results', 'conformance.json') },
  },
})

const chosen = Object.entries(PARTS).filter(
  ([name]) => values.only === undefined || values.only === name,
)

if (chosen.length === 0) {
  console.error(`Give --only one of ${Object.keys(PARTS).join(', ')}.`)
  process.exit(2)
}

let failed = 0

let shown = 0

for (const [part, run] of chosen) {
  const began = performance.now()
  const results = await run()
  const seconds = Math.round((performance.now() - began) / 1000)
  for (const result of results) {
    shown += 1
    if (!result.passed) failed += 1
    console.log(`${result.passed ? 'ok  ' : 'FAIL'} ${result.name.padEnd(46)} ${result.found}`)
    if (!result.passed && result.output !== undefined) console.log(result.output)
  }
  const date = new Date().toISOString().slice(0, 10)
  const kept = results.map(({ name, found, passed }) => ({ name, found, passed }))
  write({ part, date, seconds, results: kept })
}

console.log(`${shown - failed} of ${shown} passed`)

if (failed > 0 || shown === 0) process.exitCode = 1

async function clientSuites() {
  const suites = await runClientSuites()
  const results = suites.map(({ revision, scored, failed: names, unscored }) => ({
    name: `client: ${revision}`,
    found: `${scored - names.length} of ${scored} scenarios, and ${unscored} that do not count`,
    passed: names.length === 0,
    output: names.join('\n'),
  }))
  return [...results, ...runSkillScenarios()]
}

/** Writes after each part. A run of one part keeps the earlier results of the others. */
function write(record: ConformanceRecord): void {
  const before = recordedBefore()
  const parts = Object.keys(PARTS).flatMap((name) =>
    name === record.part ? record : (before.find(({ part }) => part === name) ?? []),
  )
  const machine = { processor: cpus()[0]?.model, cores: cpus().length }
  mkdirSync(dirname(values.out), { recursive: true })
  const text = JSON.stringify({ node: process.version, machine, parts }, null, 2)
  writeFileSync(values.out, `${text}\n`)
}

function recordedBefore(): readonly ConformanceRecord[] {
  try {
    const { parts } = JSON.parse(readFileSync(values.out, 'utf8')) as {
      parts: ConformanceRecord[]
    }
    return parts
  } catch {
    return []
  }
}
