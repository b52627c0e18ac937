import { dirname } from 'node:path'
import { z } from 'zod'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from '../src/entries/index.ts'
import { reportFlows } from './flows/report-flows.ts'
import { startTrace } from './flows/trace-files.ts'

/**
 * `node scripts/trace-flows.ts [--files]`: counts the files of `src` that the common operations of a
 * workspace enter, and fails when one enters more than its limit.
 *
 * Each operation runs twice; the second run counts, so that caches are warm. Memory log, two skills, three
 * tools with zod schemas.
 */
const LIMITS = { activate: 35, callTool: 70, beginStep: 60, tool_search: 120, explain: 22 }

const { trace, close } = await startTrace(dirname(import.meta.dirname))

const workspace = await VirtualWorkspace.open({
  catalog: await createCatalog({
    tools: [tool('look_up', 'Look an order up.')],
    skills: [
      defineSkill({
        name: 'refunds',
        description: 'Pay customers back.',
        instructions: 'Look at the order first.',
        tools: [tool('refund', 'Pay an order back.')],
      }),
      defineSkill({
        name: 'letters',
        description: 'Write letters to customers.',
        instructions: 'Be brief.',
        tools: [tool('write_letter', 'Write a letter.')],
      }),
    ],
  }),
  discovery: {},
})

const operations: Record<keyof typeof LIMITS, (skill: string, tool: string) => unknown> = {
  activate: (skill) => workspace.activateSkill(skill),
  callTool: (_, name) => workspace.callTool(name, { order: '7' }),
  beginStep: () => workspace.beginStep(),
  tool_search: (_, name) => workspace.callTool('tool_search', { query: name.replace('_', ' ') }),
  explain: (_, name) => workspace.explain(name),
}

for (const run of Object.values(operations)) await run('letters', 'write_letter')

const entered = new Map<string, readonly string[]>()

for (const [flow, run] of Object.entries(operations)) {
  entered.set(flow, await trace(() => run('refunds', 'refund')))
}

await workspace.close()

close()

const { lines, passed } = reportFlows(entered, LIMITS, process.argv.includes('--files'))

for (const line of lines) console.log(line)

if (!passed) process.exitCode = 1

function tool(name: string, description: string) {
  return defineTool({
    name,
    description,
    category: 'utility',
    inputSchema: z.object({ order: z.string().optional() }),
    execute: () => ({ done: true }),
  })
}
