import { parseArgs } from 'node:util'
import { runClientSuites, runSkillScenarios } from './client-suites.ts'
import type { ConformancePart } from './conformance-part.ts'
import { foreignClients } from './foreign-clients.ts'
import { serverSuites } from './server-suites.ts'

/**
 * `npm run conformance`: runs the conformance suites of the Model Context Protocol, and clients of others.
 *
 * npm run conformance -- --only server
 */
const PARTS: Readonly<Record<string, ConformancePart>> = {
  server: serverSuites,
  clients: foreignClients,
  client: clientSuites,
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })

let failed = 0

let shown = 0

for (const [name, part] of Object.entries(PARTS)) {
  if (values.only !== undefined && values.only !== name) continue
  for (const result of await part()) {
    shown += 1
    if (!result.passed) failed += 1
    console.log(`${result.passed ? 'ok  ' : 'FAIL'} ${result.name.padEnd(40)} ${result.found}`)
    if (!result.passed && result.output !== undefined) console.log(result.output)
  }
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
