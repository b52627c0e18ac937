import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSkills } from '../../../src/workbench/project/folders/load-skills.ts'
import { openProject } from '../../../src/workbench/project/folders/open-project.ts'
import { skillText, temporaryFolder, toolTree, type Tree } from './temporary-folder.ts'

const AGENT = '---\nname: support\ndescription: Helps.\n---\n\nYou help.\n'

const TREE: Tree = {
  'AGENT.md': '# How to work on this repository',
  'agents/support/AGENT.md': AGENT,
  'docs/AGENT.md': 'Not an agent.',
  'docs/tools.md': 'Not a tool.',
  'rules/README.md': 'About the rules.',
  'rules/pages.md': 'Read before you write.',
  'rules/old.txt': 'Not read.',
  'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: W.\ntools: fetch\n---\n',
  'toolsets/web/RULES.md': 'Cite what you read.\n',
  ...toolTree('tools/fetch'),
  'tools/_core/registry.js': 'throw new Error()',
  'tools/say/TOOL.md':
    '---\nname: say\ndescription: Says.\nmetadata:\n  loadout.topic: speech\n---\n\n# say\n',
  'tools/say/handler.js': 'export const execute = ({ text }) => text\n',
}

test('agents, rules, rules of a toolset and described tools of a folder are read', async () => {
  const root = await temporaryFolder(TREE)
  const { agents, rules, toolsets, tools, handlers, diagnostics } = await loadSkills(root)
  expect(diagnostics).toEqual([])
  expect(agents).toMatchObject([
    { name: 'support', prompt: 'You help.', path: join(root, 'agents/support/AGENT.md') },
  ])
  expect(rules).toMatchObject([
    { topic: 'pages', text: 'Read before you write.', path: join(root, 'rules/pages.md') },
  ])
  expect(toolsets).toMatchObject([{ name: 'web', rules: 'Cite what you read.' }])
  expect(tools).toMatchObject([{ name: 'fetch' }, { name: 'say', topic: 'speech' }])
  expect(handlers.map(({ tool }) => tool.name)).toEqual(['fetch', 'say'])
})

test.each([
  'agents',
  'agents/support',
  'agents/support/AGENT.md',
  'rules',
  'tools',
  'toolsets/web',
])('%s can be given by itself', async (given) => {
  const root = await temporaryFolder(TREE)
  const { items } = await loadSkills(join(root, given))
  expect(items.length).toBeGreaterThan(0)
  for (const { name } of items) expect(name).not.toBeNull()
})

test('a project without paths has agents and rules, in sessions too', async () => {
  const root = await temporaryFolder(TREE)
  const { catalog } = await openProject([], { project: root, home: null, trusted: true })
  expect([...catalog.agents.keys()]).toEqual(['support'])
  expect([...catalog.rules.keys()]).toEqual(['pages'])
  expect(catalog.sharedTools.get('say')?.[0]?.execute).toBeDefined()
})

test('an agent of the configuration comes before one of a folder', async () => {
  const root = await temporaryFolder({
    ...TREE,
    'loadout.config.json': '{"agents":[{"name":"support","prompt":"Mine."}]}',
  })
  const { catalog, diagnostics } = await openProject([root], { home: null, trusted: false })
  expect(catalog.agents.get('support')?.prompt).toBe('Mine.')
  expect(diagnostics.map(({ code }) => code)).toContain('duplicate-agent')
})

test("a skill's topic is that of those of its tools that name none", async () => {
  const root = await temporaryFolder({
    'a/SKILL.md': skillText('a', 'metadata:\n  loadout.topic: pages\n'),
    ...toolTree('a/tools/read'),
    'a/tools/draw/schema.json': '{"toolId":"draw","description":"D.","topic":"images"}',
  })
  const { skills } = await loadSkills(root)
  expect(skills[0]?.tools).toMatchObject([
    { name: 'draw', topic: 'images' },
    { name: 'read', topic: 'pages' },
  ])
})

test('what cannot be loaded is among the items without a name, with an error for its file', async () => {
  const root = await temporaryFolder({
    'skills/a/SKILL.md': 'no front matter',
    'agents/b/AGENT.md': 'none either',
    'toolsets/c/TOOLSET.md': '---\nname: c\n---\n',
    'tools/d/schema.json': '{',
    'rules/e.md': '',
  })
  const { items, diagnostics } = await loadSkills(root)
  expect(items.map(({ kind, name }) => [kind, name])).toEqual([
    ['agent', null],
    ['rules', null],
    ['skill', null],
    ['tool', null],
    ['toolset', null],
  ])
  for (const { path } of items) {
    expect(diagnostics).toContainEqual(expect.objectContaining({ file: path, severity: 'error' }))
  }
})
