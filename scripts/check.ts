import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { runStep, type StepReport, STEPS } from './run-step.ts'

/**
 * `node scripts/check.ts [step...] [--skip step]`: runs the steps, as many at once as there are processors, then prints
 * a table of them. Those that build come first and run alone: others read what is built.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { skip: { type: 'string', multiple: true, default: [] } },
})

const known = STEPS.map(({ name }) => name)

const unknown = [...positionals, ...values.skip].filter((name) => !known.includes(name))

if (unknown.length > 0) {
  console.error(`No step is named ${unknown.join(', ')}. Steps: ${known.join(', ')}.`)
  process.exit(2)
}

const chosen = STEPS.filter(
  ({ name, onlyByName }) =>
    !values.skip.includes(name) &&
    (positionals.length === 0 ? onlyByName !== true : positionals.includes(name)),
)

const ended = new Map<string, StepReport>()

const run = async (step: (typeof chosen)[number]) => {
  const report = await runStep(step)
  if (!report.passed) console.error(`\n${step.name} failed:\n${report.output}`)
  ended.set(step.name, report)
}

for (const step of chosen.filter(({ builds }) => builds === true)) await run(step)

const left = chosen.filter(({ builds }) => builds !== true)

const work = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift()) await run(next)
}

await Promise.all(Array.from({ length: availableParallelism() }, work))

const reports = chosen.flatMap(({ name }) => ended.get(name) ?? [])

console.log()

for (const report of reports) console.log(row(report))

const passed = reports.filter((report) => report.passed).length

console.log(`${passed} of ${reports.length} checks passed`)

if (passed < reports.length || reports.length === 0) process.exitCode = 1

function row({ name, passed: good, summary, seconds }: StepReport): string {
  return `${good ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${summary}`
}
