import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TreeNode } from '../../../../src/workbench/cli/commands/catalog-tree.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.toolsets: web gone\n'),
  ...toolTree('skills/alpha/tools/own'),
  'skills/beta/SKILL.md': skillText('beta', 'metadata:\n  loadout.extends: alpha\n'),
  'skills/__proto__/SKILL.md': skillText('__proto__'),
  'toolsets/web/TOOLSET.md':
    '---\nname: web\ndescription: The web.\ntools: fetch lost\n---\nUse it.\n',
  'toolsets/spare/TOOLSET.md': '---\nname: spare\ndescription: Spare.\ntools: fetch lost\n---\n',
  ...toolTree('tools/fetch'),
  ...toolTree('tools/free'),
  'agents/some/AGENT.md':
    '---\nname: some\ndescription: D.\ninitialSkills: alpha\nskills: beta nobody\n---\nYou are some.',
  'agents/any/AGENT.md': '---\nname: any\ndescription: D.\ninitialSkills: alpha\n---\nYou are any.',
  'rules/web.md': 'Be polite.\n',
}

const withoutCounts = (text: string) => text.replaceAll(/\b\d+\b/g, 'N')

test("the tree has each definition's children once, and names that match no definition", async () => {
  const cwd = await temporaryFolder(TREE)
  const { code, stdout } = await runCommand(['list', '--tree'], { cwd })
  expect(code).toBe(0)
  expect(withoutCounts(stdout)).toMatchInlineSnapshot(`
    "agent any N tokens
    ├─ skill alpha N tokens, its tools N (initial)
    │  ├─ tool own N tokens
    │  ├─ toolset web N tokens
    │  │  └─ tool fetch N tokens
    │  └─ toolset gone (not there)
    └─ every other skill
    agent some N tokens
    ├─ skill alpha N tokens (initial, as above)
    ├─ skill beta N tokens, its tools N
    │  ├─ tool own N tokens (from "alpha")
    │  └─ toolset web N tokens
    │     └─ tool fetch N tokens (from "alpha")
    └─ skill nobody (not there)
    skill __proto__ N tokens
    toolset spare
    ├─ tool fetch N tokens
    └─ tool lost (not there)
    tool free N tokens
    rules web N tokens
    "
  `)
})

test('the list has every definition once, with its parents', async () => {
  const cwd = await temporaryFolder(TREE)
  const { stdout } = await runCommand(['list', '--json'], { cwd })
  const items = JSON.parse(stdout) as readonly (TreeNode & { readonly in: readonly TreeNode[] })[]
  expect(
    items.map(({ kind, name, in: holders }) => [kind, name, holders.map((one) => one.name)]),
  ).toEqual([
    ['agent', 'any', []],
    ['agent', 'some', []],
    ['skill', 'alpha', ['any', 'some']],
    ['skill', 'beta', ['some']],
    ['skill', '__proto__', []],
    ['toolset', 'web', ['alpha', 'beta']],
    ['toolset', 'spare', []],
    ['tool', 'own', ['alpha', 'beta']],
    ['tool', 'fetch', ['web', 'spare']],
    ['tool', 'free', []],
    ['rules', 'web', []],
  ])
  expect(items.every(({ tokens }) => Number.isInteger(tokens))).toBe(true)
  expect(items[2]?.path).toBe(join(cwd, 'skills/alpha/SKILL.md'))
})

test('--json prints the tree with all keys', async () => {
  const cwd = await temporaryFolder({ 'skills/alpha/SKILL.md': skillText('alpha') })
  const { stdout } = await runCommand(['list', '--tree', '--json'], { cwd })
  expect(JSON.parse(stdout)).toEqual([
    {
      kind: 'skill',
      name: 'alpha',
      description: 'Does alpha.',
      tokens: expect.any(Number),
      path: join(cwd, 'skills/alpha/SKILL.md'),
      hash: expect.stringMatching(/^sha256:/),
      note: null,
      anySkill: false,
      repeated: false,
      children: [],
    },
  ])
})

test('a manifest is listed like its folder', async () => {
  const cwd = await temporaryFolder(TREE)
  await runCommand(['build', '--partial'], { cwd })
  const names = async (...argv: string[]) => {
    const { code, stdout } = await runCommand(['list', ...argv, '--json'], { cwd })
    expect(code).toBe(0)
    return (JSON.parse(stdout) as TreeNode[]).map(({ kind, name }) => `${kind} ${name}`)
  }
  const folder = await names()
  expect(folder.length).toBeGreaterThan(5)
  expect((await names('loadout.manifest.json')).sort()).toEqual(folder.sort())
})

test('without definitions the list is empty', async () => {
  const cwd = await temporaryFolder()
  expect(await runCommand(['list', '--json'], { cwd })).toMatchObject({ code: 0, stdout: '[]\n' })
  const { code, stderr } = await runCommand(['list', '--tree'], { cwd })
  expect(code).toBe(0)
  expect(stderr).toContain('no skills were found')
})

test('a tool in one file is listed as unknown until its code may run', async () => {
  const file = `import { defineTool } from 'loadout'
    export default defineTool({ name: 'pay', description: 'Pays.', inputSchema: {}, execute: () => 1 })`
  const cwd = await temporaryFolder({ 'a/SKILL.md': skillText('a'), 'a/tools/pay.js': file })
  const listed = async (...argv: string[]) => {
    const { stdout } = await runCommand(['list', '.', '--json', ...argv], { cwd })
    return JSON.parse(stdout).filter(({ kind }: { kind: string }) => kind === 'tool')
  }
  expect(await listed()).toMatchObject([
    { name: 'pay', hash: null, path: join(cwd, 'a/tools/pay.js'), in: [] },
  ])
  expect(await listed('--trust')).toMatchObject([
    { name: 'pay', description: 'Pays.', in: [{ kind: 'skill', name: 'a' }] },
  ])
  const tree = await runCommand(['list', '.', '--tree'], { cwd })
  expect(tree.stdout).toContain('tool pay (unknown)')
  expect(tree.stderr).toContain('1 module was not run because the folder is not trusted.')
  const unread = await runCommand(['show', 'tool', 'pay', '.'], { cwd })
  expect(unread).toMatchObject({ code: 1, stdout: '' })
  expect(unread.stderr).toContain('The tool in "pay.js" is unknown')
  const shown = await runCommand(['show', 'tool', 'a/pay', '.', '--trust', '--json'], { cwd })
  expect(JSON.parse(shown.stdout)).toMatchObject([
    { fields: { folder: null, handler: join(cwd, 'a/tools/pay.js'), bound: true } },
  ])
})

test('--agent lists one agent with its skills, toolsets and tools', async () => {
  const cwd = await temporaryFolder(TREE)
  const { stdout } = await runCommand(['list', '--agent', 'some', '--json'], { cwd })
  const items = JSON.parse(stdout) as readonly { kind: string; name: string }[]
  expect(items.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'agent some',
    'skill alpha',
    'skill beta',
    'toolset web',
    'tool own',
    'tool fetch',
  ])
  const tree = await runCommand(['list', '--agent', 'any', '--tree'], { cwd })
  expect(tree.stdout.split('\n')[0]).toContain('any')
  expect(tree.stdout).not.toContain('agent some')
  const unknown = await runCommand(['list', '--agent', 'sme'], { cwd })
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('Known agents: any, some.'),
  ])
})
