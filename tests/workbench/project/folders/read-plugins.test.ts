import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, test } from 'vitest'
import { readPlugins } from '../../../../src/workbench/project/folders/read-plugins.ts'
import { runCommand } from '../../cli/run-command.ts'
import { skillText, temporaryFolder, toolTree } from '../temporary-folder.ts'

/** Like the marketplaces of wshobson/agents (a folder each) and anthropics/skills (lists of skills of one folder). */
const MARKET = {
  '.claude-plugin/marketplace.json': JSON.stringify({
    name: 'market',
    plugins: [
      { name: 'python', source: './plugins/python', description: 'For Python.' },
      { name: 'documents', source: './', strict: false, skills: ['./skills/pdf'] },
      { name: 'far', source: { source: 'github', repo: 'ada/far' } },
      { name: 'gone', source: './plugins/gone' },
      { name: 'out', source: '../../etc' },
      7,
    ],
  }),
  'plugins/python/.claude-plugin/plugin.json': JSON.stringify({
    name: 'python',
    commands: ['./more/scaffold.md'],
  }),
  'plugins/python/skills/async/SKILL.md': skillText('async'),
  ...toolTree('plugins/python/skills/async/tools/echo'),
  'plugins/python/commands/test.md': '---\ndescription: Tests.\n---\nTest $1.\n',
  'plugins/python/more/scaffold.md': 'Scaffold a project.\n',
  'plugins/python/agents/reviewer.md': '---\nname: reviewer\ndescription: R.\n---\nYou review.\n',
  'plugins/python/hooks/hooks.json': '{}',
  'plugins/python/.mcp.json': '{ "shop": { "command": "node" } }',
  'skills/pdf/SKILL.md': skillText('pdf'),
  'skills/docx/SKILL.md': skillText('docx'),
}

test('a marketplace has the plugins of its folder, and names those that are elsewhere', async () => {
  const root = await temporaryFolder(MARKET)
  const { plugins, elsewhere, diagnostics } = await readPlugins(root)
  const inner = (paths: readonly string[]) => paths.map((path) => path.slice(root.length + 1))
  expect(
    plugins.map(({ name, skills, commands, agents, others }) => ({
      name,
      parts: inner([...skills, ...commands, ...agents]),
      others,
    })),
  ).toEqual([
    {
      name: 'python',
      parts: ['skills/async', 'commands', 'more/scaffold.md', 'agents'].map(
        (p) => `plugins/python/${p}`,
      ),
      others: ['hooks'],
    },
    { name: 'documents', parts: ['skills/pdf'], others: [] },
  ])
  expect(elsewhere).toEqual([{ name: 'far', source: 'ada/far' }])
  expect(diagnostics.map(({ code }) => code)).toEqual(['plugin-missing', 'plugin-missing'])
})

test('a plugin does not reach out of its folder', async () => {
  const outside = await temporaryFolder({ 'SKILL.md': skillText('secret') })
  const root = await temporaryFolder({
    '.claude-plugin/plugin.json': JSON.stringify({
      name: 'evil',
      skills: ['../..', '/etc', './linked'],
      agents: [outside],
    }),
  })
  await symlink(outside, join(root, 'linked'))
  const { plugins } = await readPlugins(root)
  expect(plugins).toMatchObject([{ name: 'evil', skills: [], agents: [] }])
})

test('list shows each plugin with its skills and what is not read', async () => {
  const cwd = await temporaryFolder(MARKET)
  const { stdout, stderr } = await runCommand(['list', '.', '--tree'], { cwd })
  expect(stdout.replaceAll(/\b\d+\b/g, 'N')).toMatchInlineSnapshot(`
    "plugin python (servers: shop; not read: commands, agents, hooks)
    └─ skill async N tokens, its tools N
       └─ tool echo N tokens
    plugin documents
    └─ skill pdf N tokens
    skill docx N tokens
    "
  `)
  expect(stderr).toContain(
    'The plugin "far" is not in this folder: its marketplace has it at ada/far.',
  )
  const { stdout: json } = await runCommand(['list', '.', '--json'], { cwd })
  const items = JSON.parse(json) as { kind: string; name: string; in: { name: string }[] }[]
  expect(items.filter(({ kind }) => kind === 'skill')).toMatchObject([
    { name: 'async', in: [{ kind: 'plugin', name: 'python' }] },
    { name: 'pdf', in: [{ kind: 'plugin', name: 'documents' }] },
    { name: 'docx', in: [] },
  ])
})

test('one plugin of a marketplace is imported, with its commands and agents', async () => {
  const cwd = await temporaryFolder(MARKET)
  const unclear = await runCommand(['import', 'claude', '.', 'ours'], { cwd })
  expect(unclear).toMatchObject({ code: 1, stderr: expect.stringContaining('--plugin: python') })
  const { stdout } = await runCommand(['import', 'claude', '.', 'ours', '--plugin', 'python'], {
    cwd,
  })
  expect(stdout).toMatchInlineSnapshot(`
    "taken   skill async -> skills/async/SKILL.md
    changed agent reviewer -> agents/reviewer/AGENT.md
            No model delegates to it: open a session, or a child session, as this agent.
    changed command test -> skills/test/SKILL.md
            It is a skill now: a model activates it when asked to.
    changed command scaffold -> skills/scaffold/SKILL.md
            It is a skill now: a model activates it when asked to.
            It had no description; its first sentences are used.
    left    file .mcp.json
            Its servers were not copied: write them into a .mcp.json in the folder of the project, and name them in a toolset (\`servers: shop\`), and skills bring them.
    left    file hooks
            Hooks are code: write them where sessions are opened.
    1 taken unchanged, 3 changed, 2 left out; 7 files written.
    "
  `)
  expect(await readFile(join(cwd, 'ours/skills/async/SKILL.md'), 'utf8')).toBe(skillText('async'))
  const documents = ['import', 'claude', '.', 'theirs', '--plugin', 'documents']
  expect(await runCommand(documents, { cwd })).toMatchObject({
    stdout: expect.stringContaining('1 taken unchanged, 0 changed, 0 left out'),
  })
  const alone = await runCommand(['import', 'claude', 'plugins/python', 'third'], { cwd })
  expect(alone.stdout).toContain('skill async -> skills/async/SKILL.md')
})

test('trust of one plugin lets its code run, and no other', async () => {
  const cwd = await temporaryFolder({ ...MARKET, ...toolTree('skills/pdf/tools/other') })
  const status = async () => {
    const { stdout } = await runCommand(
      ['tools', '.', '--activate', 'python:async', '--activate', 'pdf', '--json'],
      { cwd },
    )
    const tools = JSON.parse(stdout) as { name: string; status: string }[]
    return tools.filter(({ name }) => name === 'echo' || name === 'other').map((one) => one.status)
  }
  expect(await status()).toEqual(['unbound', 'unbound'])
  expect(await runCommand(['trust', '.', '--plugin', 'pyton'], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"python"'),
  })
  const trusted = await runCommand(['trust', '.', '--plugin', 'python'], { cwd })
  expect(trusted.stdout).toContain(join(cwd, 'plugins/python'))
  expect(await status()).toEqual(['available', 'unbound'])
})

test('a skill whose name another plugin has is found by the name of its plugin', async () => {
  const root = await temporaryFolder({
    'plugins/a/.claude-plugin/plugin.json': '{"name":"a"}',
    'plugins/a/skills/pdf/SKILL.md': skillText('pdf'),
    'plugins/b/.claude-plugin/plugin.json': '{"name":"b"}',
    'plugins/b/skills/pdf/SKILL.md': skillText('pdf'),
    ...toolTree('plugins/b/skills/pdf/tools/echo'),
    'plugins/c/skills/pdf/SKILL.md': skillText('pdf'),
  })
  const { catalog, items } = await openProject([root])
  expect([...catalog.skills.keys()]).toEqual(['b-pdf', 'pdf'])
  expect(catalog.shadowedSkills.map(({ path }) => path)).toEqual([
    join(root, 'plugins/c/skills/pdf/SKILL.md'),
  ])
  expect(items.filter(({ kind }) => kind === 'skill').map(({ name }) => name)).toEqual([
    'pdf',
    'b-pdf',
    'pdf',
  ])
  const workspace = await VirtualWorkspace.open({ catalog })
  for (const [query, name] of [
    ['b:pdf', 'b-pdf'],
    ['a:pdf', 'pdf'],
    ['skill:pdf', 'pdf'],
    ['PDF', 'pdf'],
  ]) {
    expect(await workspace.activateSkill(String(query))).toMatchObject({ ok: true })
    const active = workspace.skills().filter(({ status }) => status === 'active')
    expect(active.map((one) => one.name)).toEqual([name])
    await workspace.deactivateSkill(String(name))
  }
  await workspace.close()
})

test('a plugin whose source is a file does not stop the others, nor the skills of the folder', async () => {
  const plugins = [
    { name: 'file', source: './README.md' },
    { name: 'good', source: './good' },
  ]
  const root = await temporaryFolder({
    '.claude-plugin/marketplace.json': JSON.stringify({ plugins }),
    'README.md': 'text',
    'good/skills/pdf/SKILL.md': skillText('pdf'),
    'a/pdf/SKILL.md': `${skillText('pdf')}Another text.\n`,
  })
  const found = await readPlugins(root)
  expect(found.plugins.map(({ name }) => name)).toEqual(['good'])
  expect(found.diagnostics.map(({ code }) => code)).toEqual(['plugin-missing'])
  const { catalog } = await openProject([root])
  expect([...catalog.skills.keys()]).toEqual(['good-pdf', 'pdf'])
})
