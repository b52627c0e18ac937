import { parseArgs } from 'node:util'
import { openSharedLog, type SharedLog } from './many-writers.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

// A process of its own, one of several: calls a tool in one session again and again, and prints `ok` and the
// id of each call, or its error.
const { values } = parseArgs({
  options: {
    log: { type: 'string' },
    at: { type: 'string' },
    count: { type: 'string' },
    for: { type: 'string' },
  },
})
const log = await openSharedLog(values.log as SharedLog, values.at ?? '')
const tool = defineTool({ name: 'look', description: 'Look.', execute: () => 'seen' })
const catalog = await createCatalog({ tools: [tool] })
const workspace = await VirtualWorkspace.open({ catalog, log, session: 's1', countCalls: false })
// At least one call, however little time there is.
const goesOn = (done: number) => done === 0 || performance.now() < Number(values.for)
for (let done = 0; done < Number(values.count) && goesOn(done); done += 1) {
  const answer = await workspace.callTool('look', {})
  const text = answer.ok ? `ok ${answer.meta.call}` : answer.error.message
  process.stdout.write(`${text.replaceAll('\n', ' ')}\n`)
}
await workspace.close()
await log.close()
