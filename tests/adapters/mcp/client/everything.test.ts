import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { mcpServer, type McpServerOptions } from 'loadout/mcp'
import type { VirtualWorkspace } from 'loadout'
import { available, aWorkspace, history } from '../../../workspace/a-workspace.ts'

const PROGRAM = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'

const opened: VirtualWorkspace[] = []

async function aSession() {
  const workspace = await aWorkspace({})
  opened.push(workspace)
  return workspace
}

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
})

const everything = (more: Partial<McpServerOptions> = {}) =>
  mcpServer({ name: 'everything', command: process.execPath, args: [PROGRAM, 'stdio'], ...more })

test('the tools of a server over its standard input and output are attached in one entry, called, and detached', async () => {
  const workspace = await aSession()
  const outcome = await workspace.attach(everything())
  expect(outcome).toMatchObject({ ok: true })
  expect((await history(workspace, 1)).slice(0, 1)).toEqual(['source.synced everything'])
  expect(available(workspace)).toContain('everything_echo')
  expect(workspace.explain('everything_echo')).toMatchObject({
    source: 'server',
    owner: 'everything',
  })
  const result = await workspace.callTool('everything_echo', { message: 'hello' })
  expect(result).toMatchObject({ ok: true, data: 'Echo: hello' })
  const sum = await workspace.callTool('everything_get-sum', { a: 2, b: 40 })
  expect(sum).toMatchObject({ ok: true, data: 'The sum of 2 and 40 is 42.' })
  expect(await workspace.callTool('everything_echo', {})).toMatchObject({
    ok: false,
    error: { type: 'VALIDATION' },
  })
  expect(await workspace.detach('everything')).toMatchObject({ ok: true })
  expect(available(workspace)).toEqual([])
  const gone = await workspace.callTool('everything_echo', { message: 'hello' })
  expect(gone).toMatchObject({ ok: false, error: { details: { code: 'gone' } } })
})
