import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { skillText, temporaryFolder, type Tree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const SERVER = join(PROJECT, 'examples/mcp/server.mjs')

const servers = JSON.stringify({
  mcpServers: { tickets: { command: process.execPath, args: [SERVER] } },
})

const project: Tree = {
  'skills/support/SKILL.md': skillText('support'),
  'skills/support/.mcp.json': servers,
}

test('loadout call starts the server of a skill that is activated, and calls its tool', async () => {
  const cwd = await temporaryFolder(project)
  const call = ['call', 'tickets_open', '--activate', 'support', '--args-json', '{"title":"Fire"}']
  const refused = await runCommand([...call, '--yes'], { cwd })
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('The server "tickets" is not trusted.')
  const made = await runCommand([...call, '--trust', '--yes'], { cwd })
  expect([made.code, made.stdout]).toEqual([0, 'Opened: Fire\n'])
})

test('a folder is trusted once, and its servers are started from then on until a file of it changes', async () => {
  const cwd = await temporaryFolder(project)
  const prompt = ['tools', '--activate', 'support']
  expect((await runCommand(['trust', 'skills', '--yes'], { cwd })).code).toBe(0)
  expect((await runCommand(prompt, { cwd })).stdout).toContain('tickets_open')
  const { writeTree } = await import('../../project/temporary-folder.ts')
  await writeTree(cwd, { 'skills/support/.mcp.json': servers.replace('[', '["-e", "0", ') })
  const changed = await runCommand(prompt, { cwd })
  expect(changed.stderr).toContain('is not trusted')
})

test('servers are listed where people have them: next to skills, in the project and in the home', async () => {
  const home = await temporaryFolder({ '.claude.json': servers, '.cursor/mcp.json': '{}' })
  const cwd = await temporaryFolder({ ...project, '.vscode/mcp.json': servers })
  const { stdout } = await runCommand(['mcp', 'list', '--json'], { cwd, home })
  const listed = JSON.parse(stdout) as { name: string; file: string; runs: string }[]
  expect(listed.map(({ name, file }) => [name, file])).toEqual([
    ['tickets', join(cwd, '.vscode/mcp.json')],
    ['tickets', join(cwd, 'skills/support/.mcp.json')],
    ['tickets', join(home, '.claude.json')],
  ])
  expect(listed[0]?.runs).toBe(`${process.execPath} ${SERVER}`)
})
