import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillText, type Tree } from '../workbench/project/temporary-folder.ts'
import { installed } from './installed.ts'

const JOBS: Tree = Object.fromEntries(
  ['one', 'two', 'three'].map((name) => [`skills/${name}-job/SKILL.md`, skillText(`${name}-job`)]),
)

const plugin = (manifest: object) => ({
  '.claude-plugin/plugin.json': JSON.stringify({ name: 'kitty', ...manifest }),
})

async function project(tree: Tree) {
  const { bin, folder, node, run } = await installed([], tree)
  const loadout = (...args: readonly string[]) => node(bin, ...args)
  /** Runs a command as it was printed. */
  const typed = (command: string) => run('sh', '-c', command.replace('loadout', `node ${bin}`))
  return { folder, loadout, typed }
}

/** Runs an import, and returns its exit code and items, each as one line. */
async function imported(tree: Tree, links: Readonly<Record<string, string>> = {}) {
  const { folder, loadout } = await project(tree)
  for (const [path, target] of Object.entries(links)) await symlink(target, join(folder, path))
  const { code, stdout, stderr } = await loadout('import', 'claude', '.', 'out', '--json')
  const { error = null } = code === 0 ? {} : JSON.parse(stderr)
  const items = code === 0 ? shown(stdout) : []
  return { code, items: items.map((item) => item.replaceAll(folder, '…')), error, folder, loadout }
}

interface Item {
  readonly outcome: string
  readonly kind: string
  readonly name: string
  readonly to: string | null
  readonly notes: readonly string[]
}

const shown = (json: string) =>
  (JSON.parse(json) as { items: readonly Item[] }).items.map(({ outcome, kind, name, notes }) =>
    [`${outcome} ${kind} ${name}`, ...notes].join(': '),
  )

test('a plugin that names the file of its skill is imported, and lint says that the folder is wanted', async () => {
  const { loadout } = await project({
    ...JOBS,
    ...plugin({ skills: ['./skills/one-job/SKILL.md'] }),
  })
  expect(await loadout('import', 'claude', '.', 'out')).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'taken   skill one-job -> skills/one-job/SKILL.md\n' +
      'taken   skill three-job -> skills/three-job/SKILL.md\n' +
      'taken   skill two-job -> skills/two-job/SKILL.md\n' +
      '3 taken unchanged, 0 changed, 0 left out; 3 files written.\n',
  })
  const { code, stdout } = await loadout('lint')
  expect(code).toBe(0)
  expect(stdout).toContain('plugin-skill-file')
})

test('plugins next to a .claude folder that is given are named, and the command that they name imports one', async () => {
  const { loadout, typed } = await project({
    ...JOBS,
    ...plugin({ version: '1.0.0' }),
    '.claude/commands/release.md': '---\ndescription: Release the kitty\n---\n\nRelease it.\n',
  })
  const { code, stdout } = await loadout('import', 'claude', '.claude', 'out')
  expect(code).toBe(0)
  expect(stdout).toContain('left    plugin kitty')
  expect(stdout).toContain('1 changed, 1 left out')
  const json = await loadout('import', 'claude', '.claude', 'other', '--json')
  expect(json.code).toBe(0)
  expect(shown(json.stdout)[0]).toContain('left plugin kitty: ')
  const [, command = ''] = /: (loadout import .*--plugin kitty)/.exec(stdout) ?? []
  const taken = await typed(command)
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('3 taken unchanged') })
  const { stdout: skills } = await loadout('skills', 'out', '--json')
  expect(skills).toContain('"release"')
  expect(skills).toContain('"two-job"')
  const both = await loadout('import', 'claude', '.', 'both')
  expect(both.stdout).toContain('3 taken unchanged, 1 changed, 0 left out')
})

test('each path in a manifest is imported, or named with what is wrong with it', async () => {
  const outside = join((await project({ 'secret.md': 'Secret.\n' })).folder)
  const { code, items } = await imported(
    {
      ...JOBS,
      'more/four-job/SKILL.md': skillText('four-job'),
      'more/four-job/inner/five-job/SKILL.md': skillText('five-job'),
      'README.md': 'About.\n',
      'lists/ship.md': 'Ship it.\n',
      'lists/ship.json': '{}',
      'people/ada.md': '---\nname: ada\ndescription: Reviews.\n---\nReview.\n',
      'servers.json': '{}',
      ...plugin({
        skills: [
          './skills/one-job/SKILL.md',
          './skills/one-job',
          './skills',
          './linked',
          './more',
          './more/four-job/inner/five-job',
          './nope',
          './README.md',
          '../..',
          './out-link',
          '/etc',
          '',
          7,
          { path: './skills' },
        ],
        commands: ['./lists', './lists/ship.md', './lists/ship.json', './gone.md', '../x'],
        agents: { ada: './people/ada.md' },
        hooks: './hooks.json',
        mcpServers: ['./servers.json', { shop: { command: 'node' } }],
      }),
    },
    { linked: 'more', 'out-link': outside },
  )
  expect(code).toBe(0)
  expect(items).toMatchInlineSnapshot(`
    [
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": "./nope" does not exist.",
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": "./README.md" is not a folder.",
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": "../.." leads out of its folder.",
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": "./out-link" leads out of its folder.",
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": "/etc" leads out of its folder.",
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": an entry is not a path.",
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": an entry is not a path.",
      "left file .claude-plugin/plugin.json: "skills" of the plugin "kitty": an entry is not a path.",
      "left file .claude-plugin/plugin.json: "commands" of the plugin "kitty": "./lists/ship.json" is not a folder or a Markdown file.",
      "left file .claude-plugin/plugin.json: "commands" of the plugin "kitty": "./gone.md" does not exist.",
      "left file .claude-plugin/plugin.json: "commands" of the plugin "kitty": "../x" does not exist.",
      "left file .claude-plugin/plugin.json: "agents" of the plugin "kitty": an entry is not a path.",
      "left file .claude-plugin/plugin.json: "hooks" of the plugin "kitty": "./hooks.json" does not exist.",
      "taken skill one-job",
      "taken skill three-job",
      "taken skill two-job",
      "taken skill four-job",
      "taken skill five-job",
      "left file lists/ship.json: It is not Markdown.",
      "changed command ship: It is a skill now: a model activates it when asked to.: It had no description; its first sentences are used.",
      "left file .claude-plugin/plugin.json: Its servers were not copied: write them into a .mcp.json in the folder of the project, and name them in a toolset (\`servers: shop\`), and skills bring them.",
      "left file hooks: Hooks are code: write them where sessions are opened.",
      "left file servers.json: It has no servers.",
    ]
  `)
})

test('a plugin that is one skill is imported', async () => {
  const { items } = await imported({ 'SKILL.md': skillText('solo'), ...plugin({}) })
  expect(items).toEqual(['taken skill solo'])
})

test('paths of a marketplace are named, too, and when nothing is left to import the error has the reasons', async () => {
  const market = { name: 'm', plugins: [{ name: 'sec', source: './', skills: ['./appsec/scan'] }] }
  const files = { ...JOBS, '.claude-plugin/marketplace.json': JSON.stringify(market) }
  const { code, error, loadout } = await imported(files)
  expect([code, error]).toEqual([
    1,
    {
      code: 'NOTHING_TO_IMPORT',
      message: expect.stringContaining('There is nothing to import in'),
      hint: 'file .claude-plugin/marketplace.json: "skills" of the plugin "sec": "./appsec/scan" does not exist.',
    },
  ])
  const { stdout } = await loadout('lint', '.', '--json')
  const { items } = JSON.parse(stdout) as {
    items: { path: string; diagnostics: { code: string }[] }[]
  }
  const about = items.filter(({ path }) => path.endsWith('marketplace.json'))
  expect(about.flatMap(({ diagnostics }) => diagnostics.map((one) => one.code))).toEqual([
    'plugin-path',
  ])
})

test.each([
  [{ '.claude/skills': 'text', '.claude/commands/ship.md': 'Ship it.\n' }, {}],
  [{ '.claude/commands/ship.md': 'Ship it.\n' }, { '.claude/skills': 'nowhere' }],
])('parts of .claude that are no folders do not end the import', async (tree, links) => {
  const { code, items } = await imported(tree, links)
  expect(code).toBe(0)
  expect(items[0]).toMatch(
    /^left file skills: It is not a folder that can be read: E(?:NOTDIR|NOENT)\.$/,
  )
  expect(items[1]).toContain('changed command ship')
})

test('plugins next to a .claude folder with nothing to import are named in the error', async () => {
  const plugins = ['kitty', 'puppy'].map((name) => ({ name, source: './' }))
  const market = { '.claude-plugin/marketplace.json': JSON.stringify({ plugins }) }
  const { code, error } = await imported({ ...JOBS, ...market, '.claude/notes.txt': '' })
  expect([code, error.code]).toEqual([1, 'NOTHING_TO_IMPORT'])
  expect(error.hint).toContain('plugin kitty: The .claude folder next to it was read instead.')
  expect(error.hint).toContain('--plugin kitty')
})

test('each plugin of a marketplace next to .claude is named, also one with the address of this repository', async () => {
  const plugins = [
    { name: 'kitty', source: { source: 'github', repo: 'acme/kitty' } },
    { name: 'far', source: { source: 'github', repo: 'acme/far' } },
    { name: 'near', source: './near' },
  ]
  const files = {
    ...JOBS,
    ...plugin({}),
    '.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins }),
    'near/skills/four-job/SKILL.md': skillText('four-job'),
    '.claude/commands/ship.md': 'Ship it.\n',
  }
  const { items, loadout } = await imported(files)
  expect(items.slice(0, 3)).toEqual([
    'left plugin kitty: The .claude folder next to it was read instead. To import it: loadout import claude "…" "…/out" --plugin kitty',
    'left plugin near: The .claude folder next to it was read instead. To import it: loadout import claude "…" "…/out" --plugin near',
    'left plugin far: It is not in this folder: its marketplace has it at acme/far.',
  ])
  const { stdout } = await loadout('import', 'claude', '.', 'out', '--plugin', 'kitty')
  expect(stdout).toContain('3 taken unchanged')
})

test('a marketplace that is no JSON is named, with and without a .claude folder next to it', async () => {
  const files = { ...JOBS, '.claude-plugin/marketplace.json': '{ "plugins": [' }
  const { error } = await imported(files)
  expect(error).toMatchObject({ code: 'PATH_NOT_FOUND', hint: expect.stringContaining('JSON') })
  const { items } = await imported({ ...files, '.claude/commands/ship.md': 'Ship it.\n' })
  expect(items[0]).toMatch(/^left file \.\.\/\.claude-plugin\/marketplace\.json: .*JSON/)
})
