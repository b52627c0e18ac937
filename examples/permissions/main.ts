import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCatalog, createMemoryLog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { openCallBudget } from 'loadout/sqlite'
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
const mailbox = defineTool({
  name: 'mailbox',
  description: 'Reads a mailbox.',
  category: 'retrieval',
  inputSchema: z.object({ owner: z.string() }),
  execute: ({ owner }) => `the letters of ${owner}`,
})
const read = defineTool({
  name: 'read',
  description: 'Reads a file.',
  category: 'retrieval',
  inputSchema: z.object({ filePath: z.string() }),
  execute: ({ filePath }) => `the text of ${filePath}`,
})
const clerk = defineSkill({
  name: 'clerk',
  description: 'Answers letters.',
  permissions: ['mail', 'Bash(ls:*)'],
})
const catalog = await createCatalog({
  tools: [shell, mail, search, mailbox, read],
  skills: [clerk],
})

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

/** Makes a call, and returns how it ended, in a word. */
async function outcome(tool: string, input: unknown, session = workspace): Promise<string> {
  const caller = session === workspace ? 'model' : 'user'
  const response = await session.callTool(tool, input, { caller })
  return response.ok ? 'runs' : response.error.type
}
console.log('rm:', await outcome('shell', { command: 'rm -r .' }))
console.log('ls:', await outcome('shell', { command: 'ls' }))
console.log('to us:', await outcome('mail', { to: ['ada@shop.example', 'bob@shop.example'] }))
console.log('to others:', await outcome('mail', { to: ['ada@shop.example', 'eve@there.example'] }))

for (const { text } of workspace.explain('shell').because) console.log(text)

const deletes = ({ command }: { command: string }) =>
  /\brm\s+-rf\b/.test(command) && 'it deletes a folder'

const judged = await VirtualWorkspace.open({
  catalog,
  principal: { id: 'ada' },
  policy: {
    permissions: {
      ask: [{ tool: 'shell', when: deletes }],
      deny: [{ tool: 'mailbox', when: ({ owner }, { principal }) => owner !== principal?.id }],
    },
  },
})
console.log('rm -r:', await outcome('shell', { command: 'rm -r x' }, judged))
console.log('rm -rf:', await outcome('shell', { command: 'rm  -rf x' }, judged))
console.log('why:', judged.state.confirmations[0]?.asks?.because)
console.log('her mailbox:', await outcome('mailbox', { owner: 'ada' }, judged))
console.log('his mailbox:', await outcome('mailbox', { owner: 'bob' }, judged))

const rules = [
  { tool: 'read', where: { filePath: { path: '**/.env*' } }, ignoreCase: true },
  { tool: 'write', where: { filePath: { path: '/etc/**' } } },
  { tool: 'shell', where: { command: { command: 'rm -rf' } } },
  { tool: 'shell', where: { command: { command: 'git push' } } },
]
const asking = await VirtualWorkspace.open({ catalog, policy: { permissions: { ask: rules } } })
for (const filePath of ['./src/../.ENV.local', 'src/my.environment.ts']) {
  console.log(`${filePath}:`, await outcome('read', { filePath }, asking))
}
for (const command of ['echo farm -rf', 'cd x && r""m -fr y', 'git -C x push', 'git status']) {
  console.log(`${command}:`, await outcome('shell', { command }, asking))
}

await workspace.activateSkill('clerk')
await workspace.setPermissions({ allowedTools: 'restrict' })
console.log('search:', workspace.explain('search').status)
console.log(workspace.explainSkill('clerk').because.at(-1)?.text)
await workspace.deactivateSkill('clerk')

const asked = await VirtualWorkspace.open({
  catalog,
  policy: { permissions: { ask: [{ source: 'server', risk: ['moderate', 'destructive'] }] } },
})
await asked.syncTools('shop', [{ ...mail, name: 'send', requiresConfirmation: false }])
console.log('a tool of a server:', asked.explain('send').outcomes)

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

const file = join(await mkdtemp(join(tmpdir(), 'loadout-permissions-')), 'budget.sqlite')
await using budget = await openCallBudget(file, { calls: 500, everyMs: 24 * 3_600_000 })
const metered = await VirtualWorkspace.open({ catalog, budget, principal: { id: 'ada' } })
console.log('search on a budget:', metered.explain('search').needs)

const calls = new Set<string>()
const table = {
  insert: async ({ call }: { call: string }) => calls.size < 100 && calls.add(call).has(call),
  delete: async ({ call }: { call: string }) => void calls.delete(call),
}
const billed = await VirtualWorkspace.open({
  catalog,
  budget: {
    take: async (call) => {
      const isTaken = await table.insert(call) // one statement that counts and compares
      return isTaken ? () => table.delete(call) : null
    },
  },
})
console.log('search that is paid for:', (await billed.callTool('search', {})).ok)
