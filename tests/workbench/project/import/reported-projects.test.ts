import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../cli/run-command.ts'
import { skillText, temporaryFolder, type Tree, writeTree } from '../temporary-folder.ts'

/** Returns a copy of a reported project, and what runs commands in it. */
async function reported(name: string, more: Tree = {}) {
  const cwd = await temporaryFolder()
  await cp(join(import.meta.dirname, '../fixtures/field', name), cwd, { recursive: true })
  await writeTree(cwd, more)
  return inFolder(cwd)
}

function inFolder(cwd: string) {
  const loadout = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(argv, { cwd })
    return { code, text: `${stdout}${stderr}`.replaceAll(cwd, '/here') }
  }
  return { cwd, loadout }
}

test('a call that settings deny by the name of its server does not run', async () => {
  const { cwd, loadout } = await reported('mcp-deny-tool')
  expect(await loadout('import', 'claude', '.', 'out')).toMatchObject({ code: 0 })
  await cp(join(cwd, 'out/loadout.config.json'), join(cwd, 'loadout.config.json'))
  const called = await loadout('call', 'shop_delete', '--activate', 'sell', '--trust', '--yes')
  expect(called).toMatchObject({ code: 1, text: expect.stringContaining('"type": "DENIED"') })
})

const TABLE = /SERVER +TOOL .*\n.*till +till_find/

test('servers of a plugin without "mcpServers" are read, with the folder of the plugin', async () => {
  const { loadout } = await reported('mcp-json-flat')
  expect(await loadout('lint', '.')).toMatchObject({ code: 0 })
  expect((await loadout('mcp', 'list', '--trust')).text).toMatch(TABLE)
  expect((await loadout('list', '.', '--tree')).text).toContain('plugin till (servers: till)')
})

test.each([
  ['with "mcpServers"', (flat: string) => `{ "mcpServers": ${flat} }`],
  ['with a byte order mark', (flat: string) => `\uFEFF${flat}`],
  ['with comments', (flat: string) => `// Ours\n${flat}`],
])('servers are read from a folder that is given, %s', async (_, text) => {
  const { cwd, loadout } = await reported('mcp-json-flat')
  const flat = await readFile(join(cwd, '.mcp.json'), 'utf8')
  await writeTree(cwd, { '.mcp.json': text(flat) })
  expect(
    (await inFolder(join(cwd, 'skills')).loadout('mcp', 'list', '..', '--trust')).text,
  ).toMatch(TABLE)
  expect(await loadout('mcp', 'list', '.', '--trust')).toMatchObject({ code: 0 })
})

test('a file of servers that cannot be read is named where its servers are listed', async () => {
  const { loadout } = await reported('mcp-json-flat', { '.mcp.json': '{ "till": ' })
  const { code, text } = await loadout('mcp', 'list')
  expect(code).toBe(1)
  expect(text).toContain('.mcp.json: "/here/.mcp.json" is not JSON')
  expect(text).not.toContain('no server')
  const linted = await loadout('lint', '.')
  expect(linted.text.match(/servers-invalid/g)).toHaveLength(1)
})

test('each form of servers in a plugin is read, and one that cannot be read is named', async () => {
  const plugins = [
    { name: 'flat', source: './flat' },
    { name: 'named', source: './named' },
    { name: 'listed', source: './listed', mcpServers: { near: { url: 'https://example.com' } } },
    { name: 'broken', source: './broken' },
  ]
  const server = { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/x.mjs'] }
  const { loadout } = inFolder(
    await temporaryFolder({
      '.claude-plugin/marketplace.json': JSON.stringify({ plugins }),
      'flat/.mcp.json': JSON.stringify({ $schema: 'x', one: server }),
      'named/.claude-plugin/plugin.json': JSON.stringify({
        name: 'named',
        mcpServers: ['./config/servers.json', { three: server }, './gone.json'],
      }),
      'named/config/servers.json': JSON.stringify({ mcpServers: { two: server } }),
      'listed/skills/a/SKILL.md': skillText('a'),
      'broken/.mcp.json': '[',
    }),
  )
  const listed = await loadout('mcp', 'list', '.', '--json')
  const names = (JSON.parse(listed.text) as { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(['one', 'two', 'three', 'near', 'broken/.mcp.json'])
  const { text } = await loadout('list', '.', '--tree')
  expect(text).toContain('plugin named (servers: two, three)')
  expect(text).toContain('"./gone.json" does not exist')
  const only = await loadout('import', 'claude', '.', 'out', '--plugin', 'flat')
  expect(only).toMatchObject({ code: 1, text: expect.stringContaining('servers: one') })
})

test('a .claude folder and the plugin next to it are imported together', async () => {
  const { cwd, loadout } = await reported('plugin-beside-claude')
  await mkdir(join(cwd, '.claude/skills'))
  await symlink('../../skills/one-job', join(cwd, '.claude/skills/linked'))
  expect((await loadout('import', 'claude', '.', 'out')).text).toMatchInlineSnapshot(`
    "changed command release -> skills/release/SKILL.md
            It is a skill now: a model activates it when asked to.
    taken   skill one-job -> skills/one-job/SKILL.md
    taken   skill three-job -> skills/three-job/SKILL.md
    taken   skill two-job -> skills/two-job/SKILL.md
    3 taken unchanged, 1 changed, 0 left out; 4 files written.
    "
  `)
  const json = await loadout('import', 'claude', '.', 'again', '--json')
  const { items } = JSON.parse(json.text) as { items: readonly { from: string }[] }
  expect(items.map(({ from }) => from)).toContain('.claude/commands/release.md')
  const { text } = await loadout('import', 'claude', '.claude', 'other')
  expect(text).toContain('left    plugin kitty')
  expect(text).toContain('--plugin kitty')
})

test('a plugin has the skills that it ships, and the others are named', async () => {
  const { loadout } = await reported('plugin-lists-some')
  const { text } = await loadout('list', '.', '--tree')
  expect(text.replaceAll(/ \d+ tokens/g, '')).toBe(
    'plugin box\n├─ skill plane\n└─ skill saw\nskill rasp\n',
  )
  expect((await loadout('import', 'claude', '.', 'out')).text).toMatchInlineSnapshot(`
    "taken   skill plane -> skills/plane/SKILL.md
    taken   skill saw -> skills/saw/SKILL.md
    left    skill rasp
            The plugin does not have it: Claude Code looks in the folders that a plugin names, one level below, and no deeper.
    2 taken unchanged, 0 changed, 1 left out; 2 files written.
    "
  `)
})

test('a skill that a link in a plugin leads to is of the plugin', async () => {
  const { cwd, loadout } = inFolder(
    await temporaryFolder({
      '.claude-plugin/marketplace.json': '{"plugins":[{"name":"p","source":"./plugins/p"}]}',
      'common/linked/SKILL.md': skillText('linked'),
      'plugins/p/skills/own/SKILL.md': skillText('own'),
    }),
  )
  await symlink('../../../common/linked', join(cwd, 'plugins/p/skills/linked'))
  const { text } = await loadout('list', '.', '--tree')
  expect(text).toMatch(/^plugin p\n├─ skill linked .*\n└─ skill own .*\n$/)
  const imported = await loadout('import', 'claude', '.', 'out')
  expect(imported.text).toContain('2 taken unchanged, 0 changed, 0 left out')
})

test.each([
  ['plugin-names-the-file', ['one-job', 'three-job', 'two-job']],
  ['plugin-of-one-skill', ['solo']],
  ['marketplace-names-itself', ['one-job', 'two-job']],
])('%s is imported', async (name, skills) => {
  const { loadout } = await reported(name)
  const { code, text } = await loadout('import', 'claude', '.', 'out')
  expect(code).toBe(0)
  const taken = [...text.matchAll(/taken +skill (\S+)/g)].map(([, one]) => one)
  expect(taken).toEqual(skills)
  expect(text).toContain(' 0 left out')
})

test('a plugin is found although its marketplace has other plugins, or another name for it', async () => {
  const plugins = [{ name: 'kitty-pro', source: { source: 'github', repo: 'acme/kitty' } }]
  const { loadout } = await reported('marketplace-names-itself', {
    '.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins }),
  })
  expect((await loadout('list', '.', '--tree')).text).toMatch(/^plugin kitty\n/)
  expect(await loadout('import', 'claude', '.', 'out', '--plugin', 'kitty')).toMatchObject({
    code: 0,
  })
})

test('a path of a marketplace that does not exist is named by each command', async () => {
  const { loadout } = await reported('plugin-paths-missing')
  const missing = '"./appsec/scan-code" does not exist'
  expect((await loadout('lint', '.')).text).toContain(missing)
  expect((await loadout('list', '.', '--tree')).text).toContain(missing)
  const imported = await loadout('import', 'claude', '.', 'out', '--plugin', 'sec')
  expect(imported).toMatchObject({ code: 1, text: expect.stringContaining(missing) })
})

test('servers in a manifest are named, with where to write them', async () => {
  const { loadout } = await reported('plugin-servers-inline')
  expect((await loadout('import', 'claude', '.', 'out')).text).toMatchInlineSnapshot(`
    "taken   skill one-job -> skills/one-job/SKILL.md
    taken   skill three-job -> skills/three-job/SKILL.md
    taken   skill two-job -> skills/two-job/SKILL.md
    left    file .claude-plugin/plugin.json
            Its servers were not copied: write them into a .mcp.json in the folder of the project, and name them in a toolset (\`servers: shop\`), and skills bring them. In place of \${CLAUDE_PLUGIN_ROOT}, write the folder of the plugin.
    3 taken unchanged, 0 changed, 1 left out; 3 files written.
    "
  `)
  expect((await loadout('mcp', 'list')).text).toContain(
    'shop (node ${CLAUDE_PLUGIN_ROOT}/shop.mjs)',
  )
})

test('what could not be read is named when there is nothing else', async () => {
  const { loadout } = await reported('import-nothing-readable', {
    '.claude/commands/ship.md': '---\ndescription: [\n---\nShip.\n',
  })
  const { code, text } = await loadout('import', 'claude', '.', 'out')
  expect(code).toBe(1)
  expect(text).toMatch(/command ship: Not valid YAML/)
})

test('skills and servers that settings turn off are off, and local settings precede shared ones', async () => {
  const states = { shout: 'off', whisper: 'user-invocable-only', sing: 'off', hum: 'name-only' }
  const { cwd, loadout } = await reported('import-skill-off', {
    '.claude/settings.json': JSON.stringify({
      skillOverrides: states,
      disabledMcpjsonServers: ['shop', 'My Till'],
      enabledMcpjsonServers: ['desk'],
    }),
    '.claude/settings.local.json': JSON.stringify({ skillOverrides: { sing: 'on' } }),
    ...Object.fromEntries(
      ['whisper', 'sing', 'hum'].map((one) => [`.claude/skills/${one}/SKILL.md`, skillText(one)]),
    ),
  })
  const { text } = await loadout('import', 'claude', '.', 'out')
  expect(text.slice(text.indexOf('left'))).toMatchInlineSnapshot(`
    "left    settings enabledMcpjsonServers
            Servers run when their folder is trusted: loadout trust <folder>.
    left    settings skillOverrides.hum
            A model also reads its description here.
    taken   settings permissions -> loadout.config.json
    5 taken unchanged, 0 changed, 2 left out; 5 files written.
    "
  `)
  const config = JSON.parse(await readFile(join(cwd, 'out/loadout.config.json'), 'utf8'))
  expect(config.permissions.deny).toEqual([
    'mcp__shop',
    'mcp__My_Till',
    ...['shout', 'whisper'].map((skillName) => ({
      tool: 'loadSkill',
      where: { skillName },
      ignoreCase: true,
    })),
  ])
  const { text: prompt } = await loadout('prompt', 'out')
  expect([...prompt.matchAll(/^- `(\w+)`: Does/gm)].map(([, name]) => name)).toEqual([
    'hum',
    'sing',
  ])
})

test('a skill takes the tools away that its file names, which lint and the import keep', async () => {
  const { loadout } = await reported('hint-disallowed-tools')
  const linted = await loadout('lint', 'skills')
  expect(linted.code).toBe(0)
  expect(linted.text).not.toContain('unknown-field')
  for (const tool of ['Write', 'Edit']) {
    const why = await loadout('why', tool, 'skills', '--activate', 'audit', '--tools', 'files')
    expect(why.text).toContain(`${tool} (tool): denied`)
    expect(why.text).toContain(
      `takes it away while it is active, by its disallowed-tools: ${tool}.`,
    )
    expect(why.text).toContain('skills/audit/SKILL.md')
  }
  const kept = await loadout('why', 'Read', 'skills', '--activate', 'audit', '--tools', 'files')
  expect(kept.text).toContain('Read (tool): available')
})

test('fields that have no effect are named where a skill is explained, with what to do instead', async () => {
  const fields =
    'model: opus\neffort: high\nhooks:\n  Stop: []\ndisallowedTools: [Write, "Bash(rm:*)"]\n'
  const cwd = await temporaryFolder({
    'skills/audit/SKILL.md': skillText('audit', fields),
    '.claude/agents/reader.md':
      '---\nname: reader\ndescription: Reads.\nmodel: opus\ntools: Read, Grep\ndisallowedTools: Bash, Write\n---\nRead.\n',
    '.claude/commands/look.md': '---\ndescription: Look\ndisallowed-tools: Write\n---\nLook.\n',
  })
  const { loadout } = inFolder(cwd)
  const { text } = await loadout('why', 'audit', 'skills')
  for (const field of ['model', 'effort', 'hooks']) {
    expect(text).toContain(`The field "${field}" has no effect here: `)
  }
  expect((await loadout('lint', 'skills')).text).toContain('the field "model"; it has no effect')
  const imported = await loadout('import', 'claude', '.', 'out')
  expect(imported.text).toContain('limited by tools of Claude Code (Read, Grep)')
  expect(await readFile(join(cwd, 'out/agents/reader/AGENT.md'), 'utf8')).toContain(
    'disallowedTools: Bash, Write\n',
  )
  const taken = await loadout('why', 'Write', 'out', '--agent', 'reader', '--tools', 'files')
  expect(taken.text).toContain('Agent "reader" takes it away, by its disallowedTools: Write.')
  expect(await readFile(join(cwd, 'out/skills/look/SKILL.md'), 'utf8')).toContain(
    'disallowed-tools: Write\n',
  )
})

test('what a skill takes away is kept by a manifest, an export and a stored session', async () => {
  const { cwd, loadout } = await reported('hint-disallowed-tools')
  expect(await loadout('build', 'skills')).toMatchObject({ code: 0 })
  const built = await loadout('why', 'Write', '.', '--activate', 'audit', '--tools', 'files')
  expect(built.text).toContain('Write (tool): denied')
  expect(await loadout('export', 'skills', 'out', 'skills')).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'out/audit/SKILL.md'), 'utf8')).toContain(
    'disallowed-tools: Write Edit Bash\n',
  )
})
