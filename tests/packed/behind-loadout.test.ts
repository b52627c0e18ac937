import { expect, test } from 'vitest'
import type { Tree } from '../workbench/project/temporary-folder.ts'
import { besideFrameworks, installed } from './installed.ts'

/** A server with the tools of the reference `filesystem`, in its own order; the same code for both SDKs. */
const FILES = `
  import { z } from 'zod'
  const text = (said) => ({ content: [{ type: 'text', text: said }] })
  export function addTools(server, object) {
    server.registerTool('read_file', {
      title: 'Read File', description: 'Reads a file.', inputSchema: object({ path: z.string() }),
      outputSchema: object({ content: z.string() }), annotations: { readOnlyHint: true },
    }, ({ path }) => ({ ...text(path), structuredContent: { content: path } }))
    server.registerTool('write_file', {
      title: 'Write File', description: 'Writes a file.', inputSchema: object({ path: z.string() }),
      annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true }, _meta: { 'files/kind': 1 },
    }, ({ path }) => text('wrote ' + path))
    server.registerTool('delete_file', {
      description: 'Deletes a file.', inputSchema: object({ path: z.string() }),
    }, () => text('gone'))
  }
`

const server = (sdk: string, object: string) => `
  import { ${sdk === 'sdk' ? 'McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"' : 'McpServer } from "@modelcontextprotocol/server"'}
  import { StdioServerTransport } from '@modelcontextprotocol/${sdk}/${sdk === 'sdk' ? 'server/stdio.js' : 'stdio'}'
  import { z } from 'zod'
  import { addTools } from './files.mjs'
  const server = new McpServer({ name: 'files', version: '1.0.0' })
  addTools(server, ${object})
  if (process.argv[2] === 'gated') {
    const { behindLoadout } = await import('loadout/mcp')
    const { openSqliteLog } = await import('loadout/sqlite')
    const permissions = { ask: [{ risk: 'destructive' }], deny: ['delete_*'] }
    const log = await openSqliteLog('files.sqlite')
    const { workspace } = await behindLoadout(server, { permissions, log, session: '${sdk}' })
    console.error(workspace.explain('delete_file').status)
  }
  await server.connect(new StdioServerTransport())
`

/** Talks to a server in plain JSON-RPC over a real process, and prints each message that it sent. */
const CLIENT = `
  import { spawn } from 'node:child_process'
  import { createInterface } from 'node:readline'
  const child = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] })
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  const call = (id, name) => ({ id, method: 'tools/call', params: { name, arguments: { path: '/a' } } })
  const next = [
    { id: 2, method: 'tools/list', params: {} },
    call(3, 'read_file'), call(4, 'write_file'), call(5, 'delete_file'),
  ]
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line)
    const { id, method } = JSON.parse(line)
    const accept = { action: 'accept', content: { decision: 'once' } }
    if (method === 'elicitation/create') return send({ id, result: accept })
    if (id === undefined) return
    if (id === 1) send({ method: 'notifications/initialized' })
    const message = next.shift()
    if (message) send(message)
    else child.stdin.end(), child.kill()
  })
  const clientInfo = { name: 'plain', version: '1' }
  const capabilities = { elicitation: { form: {} } }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo } })
`

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[]
    readonly isError?: true
  }
}

test.each([
  {
    sdk: 'server',
    title: 'SDK 2',
    project: (tree: Tree) => installed(['@modelcontextprotocol/server', 'zod'], tree),
    object: '(shape) => z.object(shape)',
  },
  { sdk: 'sdk', title: 'SDK 1', project: besideFrameworks, object: '(shape) => shape' },
])(
  'an author puts a server of $title behind the packed package, and clients get the same bytes',
  async ({ sdk, project, object }) => {
    const { node, bin } = await project({
      'files.mjs': FILES,
      'client.mjs': CLIENT,
      'server.mjs': server(sdk, object),
    })
    const plain = await node('client.mjs', 'server.mjs', 'plain')
    const gated = await node('client.mjs', 'server.mjs', 'gated')
    expect({ plain: plain.stderr, gated: gated.stderr }).toEqual({ plain: '', gated: 'denied\n' })
    const before = plain.stdout.trim().split('\n')
    const after = gated.stdout.trim().split('\n')
    // What the server says of itself, and the call of a tool without a rule.
    expect([after[0], after[2]]).toEqual([before[0], before[2]])
    const read = (line = '') => JSON.parse(line) as Message
    const listed = read(before[1]).result?.tools ?? []
    const shown = listed.filter(({ name }) => name !== 'delete_file')
    expect(shown).toHaveLength(2)
    expect(JSON.stringify(read(after[1]).result?.tools)).toBe(JSON.stringify(shown))
    expect(read(after[3])).toMatchObject({ method: 'elicitation/create' })
    expect(after[4]).toBe(before[3])
    expect(read(after[5]).result).toMatchObject({ isError: true })
    const why = await node(bin, 'why', 'delete_file', '--log', 'files.sqlite')
    expect(why.stdout).toContain('delete_*')
  },
)
