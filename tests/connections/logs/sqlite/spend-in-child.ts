import { parseArgs } from 'node:util'
import { openCallBudget } from '../../../../src/connections/logs/sqlite/open-call-budget.ts'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { createCatalog, defineTool, VirtualWorkspace } from '../../../../src/entries/index.ts'

/** Makes calls as one principal, in a session of its own, until its budget is spent. Prints how many ran. */
const { values } = parseArgs({
  options: { budget: { type: 'string' }, log: { type: 'string' }, calls: { type: 'string' } },
})
const budget = await openCallBudget(String(values.budget), { calls: Number(values.calls) })
const log = await openSqliteLog(String(values.log))
const buy = defineTool({ name: 'buy', description: 'Buys.', execute: () => 1 })
const catalog = await createCatalog({ tools: [buy] })
const principal = { id: 'ada' }
const workspace = await VirtualWorkspace.open({ catalog, log, budget, principal })
let ran = 0
let refused = 0
while (refused < 3) {
  const answers = await Promise.all(
    [1, 2, 3].map(() => workspace.callTool('buy', {}, { caller: 'host' })),
  )
  ran += answers.filter(({ ok }) => ok).length
  refused = answers.filter(
    (one) => !one.ok && one.error.details['code'] === 'principal-spent',
  ).length
}
await workspace.close()
await log.close()
await budget.close()
console.log(ran)
