import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import * as z from 'zod/v4'

const double = defineTool({
  name: 'double',
  description: 'Doubles.',
  inputSchema: z.object({ n: z.number().describe('The number.') }),
  outputSchema: z.object({ twice: z.number() }),
  execute: ({ n }) => ({ twice: n * 2 }),
})

const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [double] }) })
const good = await workspace.callTool(double, { n: 21 })
const bad = await workspace.callTool('double', { n: 'x' })
const { tools } = await workspace.beginStep()
console.log(
  JSON.stringify([
    good.ok && good.data.twice,
    bad.ok || bad.error.type,
    JSON.stringify(tools.map((tool) => tool.inputSchema)).includes('The number.'),
  ]),
)
