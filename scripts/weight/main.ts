import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readModules } from '../rooms/check-rooms.ts'
import { PROJECT } from '../run-command.ts'
import { compareWeight, lowerWeight, type WeightLedger } from './compare-weight.ts'
import { measureWeight } from './measure-weight.ts'
import { traceFlows } from './trace-flows.ts'

/**
 * `node scripts/weight/main.ts [--lower] [--functions]`: compares the weight of `src` with `weight.json`, and fails when
 * a figure rose. Only `--lower` writes the file. `--functions` also lists the functions that each flow enters.
 */
const { values } = parseArgs({
  options: { lower: { type: 'boolean' }, functions: { type: 'boolean' } },
})

const path = join(PROJECT, 'weight.json')

const ledger: WeightLedger = JSON.parse(readFileSync(path, 'utf8'))

const flows = await traceFlows()

const modules = readModules(PROJECT, 'src/**/*.{ts,tsx}')

const measured = measureWeight(modules, flows)

const { problems, raised, lower } = compareWeight(measured, ledger)

for (const [flow, entered] of flows) {
  const calls = entered.reduce((sum, { calls: count }) => sum + count, 0)
  const named = entered.filter(({ name }) => name !== '').length
  console.log(`${flow}: ${named} functions with a name, ${entered.length} in all, ${calls} calls`)
  if (!values.functions) continue
  for (const { path: file, name, calls: count } of entered) {
    console.log(`  ${String(count).padStart(4)} ${file} ${name || '(no name)'}`)
  }
}

for (const line of [...lower, ...raised]) console.log(line)

if (values.lower) {
  writeFileSync(path, `${JSON.stringify(lowerWeight(measured, ledger), null, 2)}\n`)
}

for (const problem of problems) console.error(problem)

const count = Object.keys(measured).length

console.log(
  `${count} figures of ${modules.length} files and ${flows.size} flows, ${problems.length} problems, ${lower.length} to lower`,
)

if (modules.length === 0 || flows.size === 0 || problems.length > 0) process.exitCode = 1
