import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTree } from '../workbench/project/temporary-folder.ts'
import { installed } from './installed.ts'

/** A server of tools over standard input and output, in plain JSON-RPC. */
const SERVER = `
  import { createInterface } from 'node:readline'
  const tools = ['find', 'delete'].map((name) => ({ name, description: 'Does ' + name + '.', inputSchema: { type: 'object' } }))
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') {
      const { protocolVersion } = params
      send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1.0.0' } } })
    } else if (method === 'tools/list') send({ id, result: { tools } })
    else if (method === 'tools/call') send({ id, result: { content: [{ type: 'text', text: 'RAN ' + params.name }] } })
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } })
  })
`

const server = (name: string) => ({
  'shop.mjs': SERVER,
  '.mcp.json': JSON.stringify({ mcpServers: { [name]: { command: 'node', args: ['shop.mjs'] } } }),
  'toolsets/shop/TOOLSET.md': `---\nname: shop\ndescription: Tools of a shop.\nservers: ${name.replaceAll(' ', '-')}\n---\n`,
  'skills/sell/SKILL.md':
    '---\nname: sell\ndescription: Sells things.\nmetadata:\n  loadout.toolsets: shop\n---\nSell.\n',
})

/** A project of a user with a server, whose tools a skill brings, and the commands that use them. */
async function shop(files: Readonly<Record<string, string>>, name = 'shop') {
  const peers = ['@modelcontextprotocol/client']
  const { node, bin, folder } = await installed(peers, { ...server(name), ...files })
  const loadout = (...args: readonly string[]) => node(bin, ...args)
  const used = ['--activate', 'sell', '--trust'] as const
  return {
    folder,
    loadout,
    call: (tool: string, ...more: readonly string[]) => loadout('call', tool, ...used, ...more),
    why: (tool: string) => loadout('why', tool, ...used),
  }
}

const config = (permissions: object) => ({
  'loadout.config.json': JSON.stringify({ permissions }, null, 2),
})

const FORMS = ['mcp__shop', 'mcp__shop__*', 'mcp__shop__delete'] as const

test.each(FORMS)('the call of a server is refused when settings deny %s', async (rule) => {
  const settings = JSON.stringify({ permissions: { deny: [rule] } })
  const { folder, loadout, call, why } = await shop({ '.claude/settings.json': settings })
  expect(await loadout('import', 'claude', '.', 'out')).toMatchObject({ code: 0 })
  await copyFile(join(folder, 'out/loadout.config.json'), join(folder, 'loadout.config.json'))

  const { code, stdout } = await call('shop_delete', '--yes')
  expect(stdout).toContain('"type": "DENIED"')
  expect(code).toBe(1)
  const explained = await why('shop_delete')
  expect(explained.stdout).toContain(`The policy denies "${rule}". (`)
  expect(explained.stdout).toContain('loadout.config.json:')
  if (rule === 'mcp__shop__delete') {
    expect(await call('shop_find')).toMatchObject({ code: 0, stdout: 'RAN find\n' })
  }
})

test.each(FORMS)('a person is asked about the call when settings ask about %s', async (rule) => {
  const settings = JSON.stringify({ permissions: { ask: [rule] } })
  const { folder, loadout, call } = await shop({ '.claude/settings.json': settings })
  expect(await loadout('import', 'claude', '.', 'out')).toMatchObject({ code: 0 })
  await copyFile(join(folder, 'out/loadout.config.json'), join(folder, 'loadout.config.json'))

  const { code, stdout } = await call('shop_delete')
  expect(stdout).toContain('"type": "CONFIRMATION_REQUIRED"')
  expect(stdout).toContain(`"rule": "${rule}"`)
  expect(code).toBe(1)
})

test.each([
  { name: 'My Shop.v2', rule: 'mcp__My_Shop_v2__delete', tool: 'My-Shop.v2_delete' },
  { name: 'my-shop', rule: 'mcp__my-shop__del*', tool: 'my-shop_delete' },
  { name: 'a__b', rule: 'mcp__a__b__delete', tool: 'a__b_delete' },
])('a rule holds for the server "$name" as Claude Code writes it', async ({ name, rule, tool }) => {
  const { call } = await shop(config({ deny: [{ tool: rule }] }), name)
  const { stdout } = await call(tool, '--yes')
  expect(stdout).toContain('"type": "DENIED"')
})

test('no command calls a tool under a rule that can match nothing, and the fix it names works', async () => {
  const { folder, loadout, call } = await shop(config({ deny: ['mcp__shop__delete(*)'] }))
  const { code, stdout, stderr } = await call('shop_delete', '--yes')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('Write "mcp__shop__delete" for all calls.')
  expect((await loadout('lint')).stdout).toContain('no session opens with these permissions')
  await writeTree(folder, config({ deny: ['mcp__shop__delete'] }))
  expect((await call('shop_delete', '--yes')).stdout).toContain('"type": "DENIED"')
})

test('no command calls a tool under permissions of which one rule is wrong', async () => {
  const { call } = await shop(config({ deny: ['shop_delete', { tool: 'x', skil: 'y' }] }))
  const { stdout, stderr } = await call('shop_delete', '--yes')
  expect(stdout).toBe('')
  expect(stderr).toContain('has no field "skil"')
})
