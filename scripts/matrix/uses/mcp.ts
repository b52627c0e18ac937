import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { mcpServer } from 'loadout/mcp'
import { z } from 'zod/v3'

interface Registering {
  tool(
    name: string,
    description: string,
    shape: object,
    run: (input: { readonly n: number }) => object,
  ): void
}

if (process.argv[2] === 'server') {
  const server = new McpServer({ name: 'sums', version: '1.0.0' })
  // Its types follow those of one zod only.
  ;(server as unknown as Registering).tool('double', 'Doubles.', { n: z.number() }, ({ n }) => ({
    content: [{ type: 'text', text: String(n * 2) }],
  }))
  await server.connect(new StdioServerTransport())
} else {
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({}) })
  const args = [import.meta.filename, 'server']
  try {
    const outcome = await workspace.attach(
      mcpServer({ name: 'sums', command: process.execPath, args }),
    )
    const result = await workspace.callTool('sums_double', { n: 21 })
    console.log(
      JSON.stringify([outcome.ok || outcome.message, result.ok ? result.content : result.error]),
    )
  } catch (error) {
    console.log(JSON.stringify(String(error)))
  }
  await workspace.close()
}
