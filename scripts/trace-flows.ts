import { Session } from 'node:inspector/promises'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from '../src/entries/index.ts'

/**
 * `node scripts/trace-flows.ts [--files]`: counts the files of `src` that the common operations of a
 * workspace enter, and fails when one enters more than its limit.
 *
 * A file is entered when the body of one of its functions runs. Each operation runs twice; the second run
 * counts, so that caches are warm. Memory log, two skills, three tools with zod schemas.
 */
const LIMITS = { activate: 35, callTool: 70, beginStep: 60, tool_search: 120, explain: 22 } as const

type Flow = keyof typeof LIMITS

const root = dirname(import.meta.dirname)
const inspector = new Session()
inspector.connect()
await inspector.post('Profiler.enable')
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const workspace = await VirtualWorkspace.open({
  catalog: await createCatalog({
    tools: [tool('look_up', 'Look an order up.')],
    skills: [
      defineSkill({
        name: 'refunds',
        description: 'Pay customers back.',
        workDirection: 'Look at the order first.',
        tools: [tool('refund', 'Pay an order back.')],
      }),
      defineSkill({
        name: 'letters',
        description: 'Write letters to customers.',
        workDirection: 'Be brief.',
        tools: [tool('write_letter', 'Write a letter.')],
      }),
    ],
  }),
  discovery: {},
})

const operations: Record<Flow, (skill: string, tool: string) => unknown> = {
  activate: (skill) => workspace.activateSkill(skill),
  callTool: (_, tool) => workspace.callTool(tool, { order: '7' }),
  beginStep: () => workspace.beginStep(),
  tool_search: (_, tool) => workspace.callTool('tool_search', { query: tool.replace('_', ' ') }),
  explain: (_, tool) => workspace.explain(tool),
}
for (const run of Object.values(operations)) await run('letters', 'write_letter')
const entered = new Map<Flow, readonly string[]>()
for (const [flow, run] of Object.entries(operations)) {
  entered.set(flow as Flow, await trace(() => run('refunds', 'refund')))
}
await workspace.close()

for (const [flow, files] of entered) {
  console.log(
    `${flow.padEnd(12)} ${String(files.length).padStart(4)} files, at most ${LIMITS[flow]}`,
  )
  if (process.argv.includes('--files')) console.log(files.map((file) => `  ${file}`).join('\n'))
}
const over = [...entered].filter(([flow, files]) => files.length > LIMITS[flow])
console.log(`${entered.size} flows traced, ${over.length} over their limit`)
if (over.length > 0) process.exitCode = 1

function tool(name: string, description: string) {
  return defineTool({
    name,
    description,
    category: 'utility',
    input: z.object({ order: z.string().optional() }),
    run: () => ({ done: true }),
  })
}

async function trace(run: () => unknown): Promise<readonly string[]> {
  await inspector.post('Profiler.takePreciseCoverage')
  const outcome = await run()
  if (typeof outcome === 'object' && outcome !== null && 'ok' in outcome && outcome.ok !== true) {
    throw new Error(`A traced operation failed: ${JSON.stringify(outcome)}`)
  }
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((path) => path.startsWith('src/'))
    .sort()
}
