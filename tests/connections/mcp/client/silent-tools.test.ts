import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { PermissionRule, VirtualWorkspace } from 'loadout'
import { mcpServer } from 'loadout/mcp'
import { aWorkspace } from '../../../workspace/a-workspace.ts'
import { type Answer, plainServer } from './server-faults.ts'

const opened: VirtualWorkspace[] = []
const listening: Server[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
  for (const server of listening.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Each of the three hints that could speak for a tool as true, as false, and not at all. */
const TOOLS = ['readOnlyHint', 'destructiveHint', 'idempotentHint']
  .reduce<readonly Readonly<Record<string, boolean>>[]>(
    (all, hint) => all.flatMap((one) => [one, { ...one, [hint]: true }, { ...one, [hint]: false }]),
    [{}],
  )
  .map((hints, at) => ({
    name: `t${at}`,
    inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    ...(at > 0 && { annotations: hints }),
    hints,
  }))

/** The rule of docs/permissions.md for a host that wants to be asked about them. */
const RULE: PermissionRule = { source: 'server', risk: ['moderate', 'destructive'] }

const PAGE_SAYS = "ask: [{ source: 'server', risk: ['moderate', 'destructive'] }]"

const answering: Answer = (method, response, _, { id }) => {
  if (method !== 'tools/call') return false
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }))
  return true
}

async function attached(trusted: boolean, ask: readonly PermissionRule[]) {
  const { server, url } = await plainServer(answering, TOOLS)
  listening.push(server)
  const workspace = await aWorkspace({}, { policy: { permissions: { ask } } })
  opened.push(workspace)
  const basis = { name: 's', url, trusted, revision: '2025-11-25' } as const
  expect(await workspace.attach(mcpServer(basis))).toMatchObject({ ok: true })
  return workspace
}

/** Calls a tool as the model. Returns the question, or null for a call that ran. */
async function questionOf(workspace: VirtualWorkspace, name: string, n = 1) {
  const result = await workspace.callTool(`s_${name}`, { n }, { caller: 'model' })
  if (result.ok) return null
  expect(result.error.type).toBe('CONFIRMATION_REQUIRED')
  return String(result.error.details['confirmation'])
}

type Hints = (typeof TOOLS)[number]['hints']

test.each<{ trusted: boolean; ask: readonly PermissionRule[]; asks: (hints: Hints) => boolean }>([
  { trusted: false, ask: [], asks: (hints) => hints['destructiveHint'] === true },
  { trusted: false, ask: [RULE], asks: () => true },
  {
    trusted: true,
    ask: [],
    asks: (hints) => hints['destructiveHint'] === true && hints['readOnlyHint'] !== true,
  },
  { trusted: true, ask: [RULE], asks: (hints) => hints['readOnlyHint'] !== true },
])(
  'trusted $trusted, rules $ask: only what may raise a risk decides which tools ask',
  async ({ trusted, ask, asks }) => {
    const workspace = await attached(trusted, ask)
    for (const { name, hints } of TOOLS) {
      const isAsked = (await questionOf(workspace, name)) !== null
      expect([hints, isAsked]).toEqual([hints, asks(hints)])
    }
  },
)

test('under the rule of the page, each tool of a server asks once in a session', async () => {
  expect(readFileSync('docs/permissions.md', 'utf8')).toContain(PAGE_SAYS)
  const workspace = await attached(false, [RULE])
  const question = await questionOf(workspace, 't0')
  await workspace.approve(question ?? '', { by: 'user', remember: 'session' })
  expect(await questionOf(workspace, 't0')).toBeNull()
  expect(await questionOf(workspace, 't0', 2)).toBeNull()
  expect(await questionOf(workspace, 't1')).not.toBeNull()
})
