import { execFileSync } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { VirtualWorkspace } from 'loadout'
import { openProject, openTrustStore } from 'loadout/node'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { skillText, temporaryFolder, type Tree, writeTree } from '../temporary-folder.ts'

const SERVER = join(PROJECT, 'examples/mcp/server.mjs')

const servers = (more: object = {}, key = 'mcpServers') =>
  JSON.stringify({ [key]: { tickets: { command: process.execPath, args: [SERVER], ...more } } })

const available = (workspace: VirtualWorkspace) =>
  workspace.getAvailableTools().flatMap(({ name }) => (name.includes('_') ? name : []))

async function open(tree: Tree, { trusted = true, env = {} } = {}) {
  const project = await temporaryFolder(tree)
  return openProject([], { project, home: null, trusted, env })
}

const toolset = '---\nname: desk\ndescription: The help desk.\nservers: tickets\n---\n'
const withToolset = skillText('support', 'metadata:\n  loadout.toolsets: desk\n')

test.each<[string, Tree]>([
  [
    'next to the skill',
    { 'skills/support/SKILL.md': skillText('support'), 'skills/support/.mcp.json': servers() },
  ],
  [
    'of the project, which a toolset names',
    {
      'skills/support/SKILL.md': withToolset,
      'toolsets/desk/TOOLSET.md': toolset,
      '.mcp.json': servers(),
    },
  ],
  [
    'of Cursor',
    {
      'skills/support/SKILL.md': withToolset,
      'toolsets/desk/TOOLSET.md': toolset,
      '.cursor/mcp.json': servers(),
    },
  ],
  [
    'of VS Code, which has comments',
    {
      'skills/support/SKILL.md': withToolset,
      'toolsets/desk/TOOLSET.md': toolset,
      '.vscode/mcp.json': `// Ours\n${servers({}, 'servers').replace('}}', '}, /* the last */ }')}`,
    },
  ],
  [
    'next to the toolset',
    {
      'skills/support/SKILL.md': withToolset,
      'toolsets/desk/TOOLSET.md': toolset.replace('servers: tickets\n', ''),
      'toolsets/desk/.mcp.json': servers(),
    },
  ],
  [
    'that the configuration names',
    {
      'skills/support/SKILL.md': withToolset,
      'toolsets/desk/TOOLSET.md': toolset,
      'claude/claude_desktop_config.json': servers(),
      'loadout.config.json': '{ "servers": ["claude/claude_desktop_config.json"] }',
    },
  ],
])('a skill brings the server of a file %s, and the server leaves with it', async (_, tree) => {
  const { catalog, diagnostics } = await open(tree)
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
  const workspace = await VirtualWorkspace.open({ catalog })
  expect(available(workspace)).toEqual([])
  expect(await workspace.activateSkill('support')).toMatchObject({ ok: true })
  expect(available(workspace)).toEqual(['tickets_list', 'tickets_open'])
  expect(await workspace.callTool('tickets_list', {})).toMatchObject({ data: 'No open tickets.' })
  await workspace.deactivateSkill('support')
  expect(available(workspace)).toEqual([])
  await workspace.close()
})

const beside = (file: string): Tree => ({
  'skills/support/SKILL.md': skillText('support'),
  'skills/support/.mcp.json': file,
})

test('nothing of a folder that is not trusted is started, and no variable is read', async () => {
  const { catalog, diagnostics } = await open(beside(servers({ env: { A: '${TOKEN}' } })), {
    trusted: false,
    env: { TOKEN: 'secret' },
  })
  expect(diagnostics).toMatchObject([{ code: 'server-untrusted', severity: 'warning' }])
  const workspace = await VirtualWorkspace.open({ catalog })
  const outcome = await workspace.activateSkill('support')
  expect(
    !outcome.ok &&
      `${outcome.message} ${outcome.hint}`.replaceAll(/"?\/\S+loadout-\w+/gu, 'FOLDER'),
  ).toMatchInlineSnapshot(
    `""support" brings the server "tickets", which did not connect: The server "tickets" is not trusted. Nothing changed. Read its command, then trust the folder: loadout trust FOLDER/skills" (or --trust for one run)."`,
  )
  await workspace.close()
})

test('a server of a trusted folder that has changed since is not started, and one that runs goes on', async () => {
  const project = await temporaryFolder(beside(servers()))
  const trustStore = openTrustStore({ file: join(await temporaryFolder(), 'trust.json') })
  await trustStore.trust(project)
  const { catalog } = await openProject([], { project, home: null, trustStore })
  const [running, workspace] = [
    await VirtualWorkspace.open({ catalog }),
    await VirtualWorkspace.open({ catalog }),
  ]
  expect(await running.activateSkill('support')).toMatchObject({ ok: true })
  await writeTree(project, { 'skills/support/late.mjs': '' })
  expect(await workspace.activateSkill('support')).toMatchObject({
    ok: false,
    message: expect.stringContaining(
      'is not trusted. A trusted folder has changed and its code was not run: skills/support/late.mjs.',
    ),
    hint: expect.stringContaining(`loadout trust ${JSON.stringify(project)}`),
  })
  expect(await running.callTool('tickets_list', {})).toMatchObject({ ok: true })
  await rm(join(project, 'skills/support/late.mjs'))
  expect(await workspace.activateSkill('support')).toMatchObject({ ok: true })
  await Promise.all([running.close(), workspace.close()])
})

test('a server gets the variables that the configuration allows, and says which one it lacks', async () => {
  const tree = beside(servers({ env: { A: '${TOKEN}' } }))
  const refused = await open(tree, { env: { TOKEN: 'secret' } })
  expect(refused.diagnostics).toMatchObject([{ code: 'server-invalid' }])
  expect(refused.diagnostics[0]?.message).toContain('TOKEN, which is not allowed')
  const config = { 'loadout.config.json': '{ "environment": { "servers": ["TOKEN"] } }' }
  const allowed = await open({ ...tree, ...config }, { env: { TOKEN: 'secret' } })
  expect(allowed.diagnostics).toEqual([])
  expect(allowed.config.environment.names).toEqual([])
  expect(allowed.catalog.hash).toBe(refused.catalog.hash)
})

test('a server that no skill names is not in the catalog', async () => {
  const { catalog, serverFiles } = await open({
    'skills/support/SKILL.md': skillText('support'),
    '.mcp.json': servers(),
  })
  expect(catalog.servers).toBeUndefined()
  expect(serverFiles.map((one) => one.servers.map(({ name }) => name))).toEqual([['tickets']])
})

test('a file of servers is not a file of the skill: a model cannot read it', async () => {
  const { catalog } = await open(beside(servers()))
  expect(catalog.skills.get('support')?.files).toEqual([])
})

test.runIf(process.platform !== 'win32')(
  'a pipe or a device in place of a file of servers is a finding, and nothing waits for it',
  async () => {
    const project = await temporaryFolder({
      'skills/support/SKILL.md': skillText('support'),
      'loadout.config.json': '{"servers":["pipe","zero"]}',
    })
    execFileSync('mkfifo', [join(project, 'pipe')])
    await symlink('/dev/zero', join(project, 'zero'))
    const { diagnostics } = await openProject([], { project, home: null, trusted: true })
    expect(diagnostics.map(({ code, file }) => [code, basename(file ?? '')])).toEqual([
      ['servers-invalid', 'pipe'],
      ['servers-invalid', 'zero'],
    ])
  },
)

test('a file that is not JSON is a finding, and the skill works without it', async () => {
  const { catalog, diagnostics } = await open(beside('{'))
  expect(diagnostics).toMatchObject([{ code: 'servers-invalid', severity: 'error' }])
  expect([...catalog.skills.keys()]).toEqual(['support'])
})
