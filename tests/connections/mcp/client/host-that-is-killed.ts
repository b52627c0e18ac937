import { createCatalog, VirtualWorkspace } from '../../../../src/entries/index.ts'
import { mcpServer } from '../../../../src/entries/mcp.ts'

// A host with a server that does not end by itself. It says when the server is attached, and waits to be killed.
const [, , file = ''] = process.argv
const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({}), metaTools: [] })
const outcome = await workspace.attach(
  mcpServer({
    name: 'h',
    command: process.execPath,
    args: ['tests/connections/mcp/client/hostile-server.mjs', 'stays-after-the-end', file],
    revision: '2025-11-25',
  }),
)
console.log(outcome.ok ? 'attached' : outcome.message)
setInterval(() => undefined, 60_000)
