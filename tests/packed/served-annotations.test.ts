import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { skillText, toolTree } from '../workbench/project/temporary-folder.ts'
import { homeAt, type Installed, installed } from './installed.ts'

/** The tools of a server, with what it says about them. */
const LISTED = {
  write_file: {
    title: 'Write File',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  read_file: { annotations: { title: 'Read', readOnlyHint: true, openWorldHint: false } },
  make_folder: {
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  tidy: { annotations: { readOnlyHint: true, destructiveHint: true, idempotentHint: false } },
  bare: {},
  odd: { title: 7, annotations: { destructiveHint: 'yes', title: ' ', taskHint: true } },
} as const

/** A server in plain JSON-RPC, without any package. */
const SERVER = `
  import { createInterface } from 'node:readline'
  const tools = Object.entries(${JSON.stringify(LISTED)}).map(([name, more]) =>
    ({ name, description: 'Does ' + name + '.', inputSchema: { type: 'object' }, ...more }))
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) continue
    const result = method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'disk', version: '1' } }
      : method === 'tools/list' ? { tools } : null
    const answer = result ? { result } : { error: { code: -32601, message: 'No method ' + method } }
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
  }
`

const PROJECT = {
  'loadout.config.js': "export default { discovery: { pinned: ['disk_*'] } }\n",
  'disk.mjs': SERVER,
  'skills/disk/SKILL.md': skillText('disk'),
  'skills/disk/.mcp.json': JSON.stringify({
    mcpServers: { disk: { command: process.execPath, args: ['../../disk.mjs'] } },
  }),
  'skills/own/SKILL.md': skillText('own'),
  ...ownTool('said', { category: 'action', annotations: { title: 'Say', destructiveHint: true } }),
  ...ownTool('denied', { risk: 'destructive', annotations: { destructiveHint: false } }),
  ...ownTool('risky', { category: 'action', risk: 'destructive' }),
  ...ownTool('lookup', { category: 'retrieval' }),
  ...ownTool('change', { category: 'action' }),
  ...ownTool('plain', {}),
}

function ownTool(name: string, more: object) {
  const folder = `skills/own/tools/${name}`
  const files = toolTree(folder)
  const schema = JSON.parse(String(files[`${folder}/schema.json`])) as object
  return { ...files, [`${folder}/schema.json`]: JSON.stringify({ ...schema, ...more }) }
}

interface Served {
  readonly name: string
  readonly title?: string
  readonly annotations?: object
}

/** Speaks to `loadout mcp serve` in plain JSON-RPC, activates skills, and returns its list of tools. */
async function servedTools({ folder, bin }: Installed, skills: readonly string[]) {
  const args = [bin, 'mcp', 'serve', '--live', '--trust', '--log', 'sessions.sqlite']
  const child = spawn(process.execPath, args, { cwd: folder, env: homeAt(folder) })
  onTestFinished(() => void child.kill('SIGKILL'))
  const waiting = new Map<number, (result: never) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id?: number; result?: never }
    if (id !== undefined) waiting.get(id)?.(result as never)
  })
  let last = 0
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = <Result>(method: string, params: object) =>
    new Promise<Result>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      send({ id: last, method, params })
    })
  const clientInfo = { name: 'plain', version: '1' }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  for (const skillName of skills) {
    const call = { name: 'loadSkill', arguments: { skillName } }
    const answer = await ask<{ isError?: true }>('tools/call', call)
    expect(answer.isError).toBeUndefined()
  }
  const { tools } = await ask<{ tools: readonly Served[] }>('tools/list', {})
  child.stdin.end()
  await once(child, 'close')
  return new Map(tools.map(({ name, title, annotations }) => [name, { title, annotations }]))
}

test('annotations are served as a server listed them, also from a lock, or as its author wrote them', async () => {
  const project = await installed(
    ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
    PROJECT,
  )
  const tools = await servedTools(project, ['disk', 'own'])
  const served = (name: string) => tools.get(name)
  expect(served('disk_write_file')).toEqual({
    title: 'Write File',
    annotations: { title: 'Write File', ...LISTED.write_file.annotations },
  })
  expect(served('disk_read_file')).toEqual({
    title: 'Read',
    annotations: LISTED.read_file.annotations,
  })
  expect(served('disk_make_folder')).toEqual(LISTED.make_folder)
  expect(served('disk_tidy')).toEqual(LISTED.tidy)
  // What is not said is not answered in its place.
  expect(served('disk_bare')).toEqual({ annotations: {} })
  expect(served('disk_odd')).toEqual({ annotations: {} })

  expect(served('said')).toEqual({
    title: 'Say',
    annotations: { title: 'Say', readOnlyHint: false, destructiveHint: true },
  })
  expect(served('denied')).toEqual({ annotations: { destructiveHint: false } })
  expect(served('risky')).toEqual({ annotations: { readOnlyHint: false, destructiveHint: true } })
  expect(served('lookup')).toEqual({
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  })
  expect(served('change')).toEqual({ annotations: { readOnlyHint: false } })
  expect(served('plain')).toEqual({ annotations: {} })

  const locked = await project.node(project.bin, 'lock', '--servers', '--trust')
  expect(locked.code).toBe(0)
  expect(await servedTools(project, ['disk', 'own'])).toEqual(tools)
})
