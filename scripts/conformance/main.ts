import { runClientSuites } from './client-suites.ts'

/** `npm run conformance`: runs the conformance suite of the Model Context Protocol, and prints what passed. */
const suites = await runClientSuites()

for (const { revision, scored, failed, unscored } of suites) {
  const passed = scored - failed.length
  console.log(
    `client ${revision}: ${passed} of ${scored} scenarios, and ${unscored} that do not count`,
  )
  for (const scenario of failed) console.log(`  failed: ${scenario}`)
}

if (suites.some(({ failed }) => failed.length > 0)) process.exitCode = 1
