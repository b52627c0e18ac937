import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

const STORED = join(import.meta.dirname, '../../connections/observed/transcripts/scripted')

type Files = Readonly<Record<string, string>>

/** Asks about a tool of a stored transcript, in a folder and a home with these files. */
async function why(transcript: string, words: readonly string[], files?: Files) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-observed-tools-')))
  const [cwd, home] = [join(base, 'project'), join(base, 'home')]
  for (const folder of [cwd, home]) mkdirSync(folder)
  for (const [path, text] of Object.entries(files ?? {})) {
    const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const log = join(base, 'transcript.jsonl')
  const text = readFileSync(join(STORED, transcript), 'utf8')
  writeFileSync(log, files === undefined ? text : text.replaceAll('"/project"', `"${cwd}"`))
  return runCommand(['why', ...words, '--log', log], { cwd, home })
}

const DENY = (rule: string) => JSON.stringify({ permissions: { deny: [rule] } })
const SERVERS = (...names: readonly string[]) =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((one) => [one, { command: 'x' }])) })
const ALLOW =
  'Allow it when you are asked, or write a rule for it in permissions.allow in .claude/settings.json; a rule in permissions.deny comes first.'

test.each<[transcript: string, tool: string, outcome: string, fix: string | null]>([
  ['claude-code/server.jsonl', 'mcp__stock__count_items', 'called in claude-code: 2 calls.', null],
  ['claude-code/failing.jsonl', 'Read', 'failed in claude-code: 2 calls, 2 failed.', null],
  [
    'claude-code/failing.jsonl',
    'NoSuchTool',
    'failed in claude-code: 1 call, 1 failed. No request had the tool.',
    null,
  ],
  [
    'claude-code/refused.jsonl',
    'Bash',
    'refused in claude-code: Permission to use Bash with command touch made.txt has been denied.',
    ALLOW,
  ],
  [
    'claude-code/refused.jsonl',
    'Write',
    'passed over in claude-code: The model was shown it, and did not call it.',
    'Name it in your message.',
  ],
  [
    'claude-code/server.jsonl',
    'WebFetch',
    'deferred in claude-code: The requests had its name alone, and nothing loaded it.',
    'Name it in your message, or ask for its search with ToolSearch.',
  ],
  ['codex/server.jsonl', 'mcp__stock__count_items', 'called in codex: 2 calls.', null],
  ['opencode/server.jsonl', 'stock_count_items', 'called in opencode: 2 calls.', null],
  ['pi/load-one.jsonl', 'read', 'called in pi: ', null],
])('in %s, %s was %s', async (transcript, tool, outcome, fix) => {
  const { stdout, code } = await why(transcript, [tool])
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(outcome) })
  expect(/^fix: (.*)$/mu.exec(stdout)?.[1] ?? null).toBe(fix)
})

test.each<[transcript: string, files: Files, outcome: string, fix: string]>([
  [
    'claude-code/no-skills.jsonl',
    { '.mcp.json': SERVERS('other') },
    'not found in claude-code, by its folder now: Neither .mcp.json nor ~/.claude.json has a server "shelf".',
    'Write "shelf" in "mcpServers" in .mcp.json.',
  ],
  [
    'claude-code/no-skills.jsonl',
    { '.mcp.json': SERVERS('shelf') },
    'not sent in claude-code: No request had it.',
    'Run /mcp, which has the state of "shelf".',
  ],
  [
    'claude-code/no-skills.jsonl',
    { '~/.claude.json': SERVERS('shelf') },
    'not sent in claude-code: No request had it.',
    'Run /mcp, which has the state of "shelf".',
  ],
  [
    'claude-code/no-skills.jsonl',
    {
      '.mcp.json': SERVERS('shelf'),
      '.claude/settings.local.json': JSON.stringify({ disabledMcpjsonServers: ['shelf'] }),
    },
    'disabled in claude-code, by its folder now: disabledMcpjsonServers in .claude/settings.local.json has "shelf".',
    'Remove "shelf" from disabledMcpjsonServers in .claude/settings.local.json.',
  ],
  [
    'claude-code/no-skills.jsonl',
    { '.mcp.json': SERVERS('shelf'), '~/.claude/settings.json': DENY('mcp__shelf') },
    'disabled in claude-code, by its folder now: permissions.deny in ~/.claude/settings.json has "mcp__shelf".',
    'Remove "mcp__shelf" from permissions.deny in ~/.claude/settings.json.',
  ],
  [
    'codex/no-skills.jsonl',
    { '~/.codex/config.toml': '[mcp_servers.other]\ncommand = "x"\n' },
    'not found in codex, by its folder now: No config.toml of Codex has [mcp_servers.shelf].',
    'Write [mcp_servers.shelf] with its command in ~/.codex/config.toml.',
  ],
  [
    'codex/no-skills.jsonl',
    {
      '~/.codex/config.toml':
        '[mcp_servers.shelf]\ncommand = "x"\nenabled = false\n[mcp_servers.other]\n',
    },
    'disabled in codex, by its folder now: [mcp_servers.shelf] in ~/.codex/config.toml has enabled = false.',
    'Remove "enabled = false" from [mcp_servers.shelf] in ~/.codex/config.toml.',
  ],
  [
    'codex/no-skills.jsonl',
    { '~/.codex/config.toml': '[mcp_servers.shelf]\n[mcp_servers.other]\nenabled = false\n' },
    'unknown in codex: The transcript has only the tools that ran.',
    'Run /mcp, which has the state of "shelf".',
  ],
])('with the files of its folder, %s %j: %s', async (transcript, files, outcome, fix) => {
  const { stdout } = await why(transcript, ['mcp__shelf__take'], files)
  expect(stdout).toContain(`  ${outcome}\nfix: ${fix}\n`)
})

test.each<[config: object, reason: string, fix: string]>([
  [
    { tools: { 'shelf*': false } },
    'tools has "shelf*": false',
    'Remove "shelf*" from "tools" in opencode.json.',
  ],
  [
    { mcp: { shelf: { enabled: false } } },
    'mcp.shelf has "enabled": false',
    'Remove "enabled": false from mcp.shelf in opencode.json.',
  ],
  [
    { permission: { shelf_take: 'deny' } },
    'permission has "shelf_take": "deny"',
    'Remove "shelf_take" from "permission" in opencode.json.',
  ],
])('the configuration of OpenCode keeps a tool from the model: %j', async (config, reason, fix) => {
  const files = { 'opencode.json': JSON.stringify(config) }
  const { stdout } = await why('opencode/no-skills.jsonl', ['shelf_take', '--tool'], files)
  expect(stdout).toContain(
    `disabled in opencode, by its folder now: opencode.json: ${reason}.\nfix: ${fix}\n`,
  )
})

test('a call that a rule refused has the rule as its change', async () => {
  const files = { '.claude/settings.json': DENY('Bash') }
  const { stdout } = await why('claude-code/refused.jsonl', ['Bash'], files)
  expect(stdout).toContain('fix: Remove "Bash" from permissions.deny in .claude/settings.json.\n')
})

test('a name that no tool has is nowhere, whatever a skill of the name did', async () => {
  const { stdout, code } = await why('claude-code/refused-skill.jsonl', ['tidy-notes', '--tool'])
  expect({ stdout, code }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('not sent in'),
  })
  expect(stdout).not.toContain('shown to the model')
  const json = await why('claude-code/refused-skill.jsonl', ['tidy-notes', '--tool', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    observed: { client: 'claude-code', kind: 'tool', outcome: 'not sent', fix: '' },
    fix: '',
  })
})
