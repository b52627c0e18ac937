import { createCatalog, defineSkill, VirtualWorkspace } from 'loadout'
import { mcpServer } from 'loadout/mcp'

// A skill that brings a server: while it is not active, the server costs no process, no connection and no token.
const tickets = mcpServer({
  name: 'tickets',
  command: process.execPath,
  args: [new URL('server.mjs', import.meta.url).pathname],
  revision: '2025-11-25',
})
const support = defineSkill({
  name: 'support',
  description: 'Answer customers.',
  instructions: 'Look at the open tickets first.',
  servers: ['tickets'],
})
const catalog = await createCatalog({ skills: [support], servers: [tickets] })
const workspace = await VirtualWorkspace.open({ catalog })

const names = () => workspace.getAvailableTools().map(({ name }) => name)
const before = await workspace.beginStep()
console.log(`before: ${names().join(', ')}`)

const activated = await workspace.activateSkill('support')
if (!activated.ok) throw new Error(activated.message)
console.log(`added: ${activated.difference.added.join(', ')}`)
const during = await workspace.beginStep()
console.log(
  `the request has more tokens: ${String(during.cost.tokens.tools > before.cost.tokens.tools)}`,
)

const opened = await workspace.callTool('tickets_open', { title: 'The printer is on fire.' })
console.log(opened.ok ? opened.data : opened.error.message)
const refused = await workspace.callTool('tickets_open', {})
console.log(refused.ok ? refused.data : refused.error.message)
for (const { text } of workspace.explain('tickets_open').because) console.log(text)

await workspace.deactivateSkill('support')
console.log(`after: ${names().join(', ')}`)
await workspace.close()
