import { createCatalog, createMemoryLog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { z } from 'zod'

const shell = defineTool({
  name: 'shell',
  description: 'Runs a command.',
  category: 'action',
  risk: 'destructive',
  inputSchema: z.object({ command: z.string() }),
  execute: ({ command }) => `ran ${command}`,
})
const mail = defineTool({
  name: 'mail',
  description: 'Sends a message.',
  category: 'action',
  requiresConfirmation: true,
  inputSchema: z.object({ to: z.array(z.string()) }),
  execute: ({ to }) => `sent to ${to.length}`,
})
const search = defineTool({
  name: 'search',
  description: 'Searches the shop.',
  category: 'retrieval',
  execute: () => ['lamp'],
})
const clerk = defineSkill({
  name: 'clerk',
  description: 'Answers letters.',
  permissions: ['mail', 'Bash(ls:*)'],
})
const catalog = await createCatalog({ tools: [shell, mail, search], skills: [clerk] })

const workspace = await VirtualWorkspace.open({
  catalog,
  policy: {
    permissions: {
      deny: [{ tool: 'shell', where: { command: '*rm *' } }],
      ask: [{ risk: 'destructive' }],
      allow: [{ tool: 'mail', where: { 'to.*': '*@shop.example' } }],
    },
  },
})

/** What a call comes to, in a word. */
async function outcome(tool: string, input: unknown): Promise<string> {
  const response = await workspace.callTool(tool, input, { caller: 'model' })
  return response.ok ? 'runs' : response.error.type
}
console.log('rm:', await outcome('shell', { command: 'rm -r .' }))
console.log('ls:', await outcome('shell', { command: 'ls' }))
console.log('to us:', await outcome('mail', { to: ['ada@shop.example', 'bob@shop.example'] }))
console.log('to others:', await outcome('mail', { to: ['ada@shop.example', 'eve@there.example'] }))

for (const { text } of workspace.explain('shell').because) console.log(text)

await workspace.activateSkill('clerk')
await workspace.setPermissions({ allowedTools: 'restrict' })
console.log('search:', workspace.explain('search').status)
console.log(workspace.explainSkill('clerk').because.at(-1)?.text)
await workspace.deactivateSkill('clerk')

const phone = await VirtualWorkspace.open({
  catalog,
  policy: {
    mode: 'kiosk',
    modes: {
      kiosk: { tools: ['search'], callsPerTurn: { retrieval: 3 }, calls: 5, promptTier: 'summary' },
      voice: { latencyMs: { retrieval: 500 } },
    },
  },
})
console.log('mail in the kiosk:', phone.explain('mail').status)
await phone.setMode('voice')
console.log('retrieval in voice:', phone.state.policy.limits.callsPerTurn.retrieval)

const log = createMemoryLog()
const permissions = { deny: ['mail'], allow: ['shell'] }
await VirtualWorkspace.open({ catalog, log, session: 'ada-17', policy: { permissions } })

const attached = await VirtualWorkspace.open({
  catalog,
  log,
  session: 'ada-17',
  policy: { permissions: { deny: ['shell'] }, onResume: 'tighten' },
})
for (const tool of ['mail', 'shell']) console.log(`${tool}:`, attached.explain(tool).status)
console.log(attached.notices.map(({ code, message }) => `${code}: ${message}`).join('\n'))
