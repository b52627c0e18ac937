import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const HOSTILE = join(PROJECT, 'tests/connections/mcp/client/hostile-server.mjs')

async function aFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const server = (fault: string) => ({ command: process.execPath, args: [HOSTILE, fault] })
  const mcpServers = { plain: server('task-only'), bad: server('exits-at-once') }
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
  return folder
}

test('servers are listed without being started, until they are trusted', async () => {
  const cwd = await aFolder()
  const before = await runCommand(['mcp', 'list'], { cwd })
  expect([before.code, before.stdout]).toEqual([1, ''])
  expect(before.stderr).toContain('plain (')
  const { code, stdout, stderr } = await runCommand(['mcp', 'list', '--trust'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('plain_good')
  expect(stdout).toContain('It only runs as a task')
  expect(stderr).toContain('bad (')
})

test('the list has the health of each server, with what its program wrote', async () => {
  const cwd = await aFolder()
  const { stdout } = await runCommand(['mcp', 'list', '--trust'], { cwd })
  expect(stdout).toMatch(/^server plain: connected$/mu)
  const { stdout: json } = await runCommand(['mcp', 'list', '--trust', '--json'], { cwd })
  const [plain, bad] = JSON.parse(json) as { health: object }[]
  expect(plain?.health).toMatchObject({ status: 'connected', problem: null, stderr: [] })
  expect(bad?.health).toMatchObject({ status: 'not-connected', stderr: ['no licence'] })
})

test('the price of a server is that of the request that has its tools', async () => {
  const cwd = await aFolder()
  const { stdout } = await runCommand(['mcp', 'price', '--trust', '--json'], { cwd })
  const [price] = JSON.parse(stdout) as {
    server: string
    tools: number
    tokens: Record<string, number>
  }[]
  expect(price).toMatchObject({ server: 'plain', tools: 1 })
  expect(Object.keys(price?.tokens ?? {})).toEqual([
    'active',
    'append',
    'deferred',
    'conversation',
    'bridge',
  ])
  expect(price?.tokens['active']).toBeGreaterThan(0)
})

test('a tool of a server is explained, also one that is left out', async () => {
  const cwd = await aFolder()
  const good = await runCommand(['mcp', 'why', 'plain_good', '--trust'], { cwd })
  expect([good.code, good.stdout.split('\n')[0]]).toEqual([0, 'plain_good: available'])
  const slow = await runCommand(['mcp', 'why', 'plain_slow', '--trust'], { cwd })
  expect(slow.stdout).toContain('plain_slow: left-out')
})

test('a project without servers is told so', async () => {
  const cwd = await temporaryFolder()
  for (const command of ['list', 'price']) {
    const { code, stderr } = await runCommand(['mcp', command], { cwd })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no server was found'),
    })
  }
})
