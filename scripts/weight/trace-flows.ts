import { z } from 'zod'
import {
  createCatalog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
} from '../../src/entries/index.ts'
import { PROJECT } from '../run-command.ts'
import { type EnteredFunction, startTrace } from './trace-functions.ts'

/**
 * Returns the functions of `src` that the common operations of a workspace enter, by operation.
 *
 * Each operation runs with both skills first, and then counts with one that was deactivated again, so that caches are
 * warm: its schemas are compiled, and the log has its definitions. Memory log, two skills, three tools with zod schemas.
 */
export async function traceFlows(): Promise<ReadonlyMap<string, readonly EnteredFunction[]>> {
  const { trace, close } = await startTrace(PROJECT)
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
  const operations: Record<string, (skill: string, tool: string) => unknown> = {
    activate: (skill) => workspace.activateSkill(skill),
    callTool: (_, name) => workspace.callTool(name, { order: '7' }),
    beginStep: () => workspace.beginStep(),
    tool_search: (_, name) => workspace.callTool('tool_search', { query: name.replace('_', ' ') }),
    explain: (_, name) => workspace.explain(name),
  }
  for (const run of Object.values(operations)) await run('letters', 'write_letter')
  for (const run of Object.values(operations)) await run('refunds', 'refund')
  await workspace.deactivateSkill('refunds')
  const entered = new Map<string, readonly EnteredFunction[]>()
  for (const [flow, run] of Object.entries(operations)) {
    entered.set(flow, await trace(() => run('refunds', 'refund')))
  }
  await workspace.close()
  close()
  return entered
}

function tool(name: string, description: string) {
  return defineTool({
    name,
    description,
    category: 'utility',
    inputSchema: z.object({ order: z.string().optional() }),
    execute: () => ({ done: true }),
  })
}
