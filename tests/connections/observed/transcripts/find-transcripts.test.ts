import { mkdir, readdir, realpath, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../workbench/cli/run-command.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

const CLAUDE = `{"type":"summary"}\n{"sessionId":"s","type":"user","cwd":"/p/one"}\n`

const CONTEXT =
  '<session_context>\nA day.\n- **Workspace Directories:**\n  - /p/four\n- **Directory Structure:**\n'

const FILES: Readonly<Record<string, string>> = {
  '.claude/projects/-p-one/s.jsonl': CLAUDE,
  '.claude/projects/-p-one/s/subagents/agent-x.jsonl': CLAUDE,
  '.claude/projects/-p-two/t.jsonl': '{"cut',
  '.claude/history.jsonl': CLAUDE,
  '.codex/sessions/2026/01/02/rollout-a.jsonl':
    '{"type":"session_meta","payload":{"id":"u","cwd":"/p/two"}}',
  '.codex/sessions/2026/01/02/notes.txt': '',
  '.pi/agent/sessions/--p--/1_u.jsonl': '{"type":"session","id":"u","cwd":"/p/three"}',
  '.local/share/opencode/opencode.db': 'SQLite',
  '.gemini/tmp/p/chats/session-a.jsonl': `{"sessionId":"u"}\n${JSON.stringify({
    $set: { messages: [{ id: 'c', type: 'user', content: [{ text: CONTEXT }] }] },
  })}`,
  '.gemini/tmp/p/chats/u/subagent.jsonl': '{}',
  '.gemini/tmp/p/logs.json': '[]',
  '.qwen/projects/-p-five/chats/u.jsonl': '{"sessionId":"u","cwd":"/p/five"}',
  'elsewhere/sessions/2026/rollout-b.jsonl': '{}',
}

async function aHome(): Promise<string> {
  const home = await temporaryFolder()
  for (const [index, [name, text]] of Object.entries(FILES).entries()) {
    const file = join(home, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    await utimes(file, 1_767_225_600 + index, 1_767_225_600 + index)
  }
  return home
}

test.each([
  [
    'claude-code',
    [
      ['.claude/projects/-p-two/t.jsonl', null],
      ['.claude/projects/-p-one/s.jsonl', '/p/one'],
    ],
  ],
  ['codex', [['.codex/sessions/2026/01/02/rollout-a.jsonl', '/p/two']]],
  ['opencode', [['.local/share/opencode/opencode.db', null]]],
  ['pi', [['.pi/agent/sessions/--p--/1_u.jsonl', '/p/three']]],
  ['gemini-cli', [['.gemini/tmp/p/chats/session-a.jsonl', '/p/four']]],
  ['qwen-code', [['.qwen/projects/-p-five/chats/u.jsonl', '/p/five']]],
] as const)(
  'the transcripts of %s are listed, the last changed first',
  async (client, expected) => {
    const home = await aHome()
    const before = await readdir(home, { recursive: true })
    const argv = ['sessions', 'list', '--of', client]
    const { code, stdout } = await runCommand([...argv, '--json'], { cwd: home, home })
    expect(code).toBe(0)
    const { transcripts } = JSON.parse(stdout) as {
      transcripts: readonly {
        file: string
        project: string | null
        changedAt: string
        bytes: number
      }[]
    }
    expect(transcripts.map(({ file, project }) => [file.slice(home.length + 1), project])).toEqual(
      expected,
    )
    expect(transcripts[0]?.changedAt).toMatch(/^2026-01-01T00:00:/)
    const table = await runCommand(argv, { cwd: home, home })
    for (const [file] of expected) expect(table.stdout).toContain(file)
    expect(await readdir(home, { recursive: true })).toEqual(before)
  },
)

test('the variable of a client names another folder, and none is no error', async () => {
  const home = await aHome()
  const argv = ['sessions', 'list', '--of', 'codex']
  const env = { CODEX_HOME: join(home, 'elsewhere') }
  expect((await runCommand(argv, { cwd: home, home, env })).stdout).toContain('rollout-b.jsonl')
  const nowhere = { CODEX_HOME: join(home, 'nowhere') }
  const none = { code: 0, stdout: 'No sessions of codex on this machine.\n', stderr: '' }
  expect(await runCommand(argv, { cwd: home, home, env: nowhere })).toEqual(none)
  expect(await runCommand(argv, { cwd: home })).toEqual(none)
})

test.each([
  [
    ['--of', 'other'],
    'Allowed choices are claude-code, codex, opencode, pi, gemini-cli, qwen-code.',
  ],
  [['a.jsonl', '--of', 'pi'], 'A log is given with --of.'],
])('%j is wrong usage', async (words, message) => {
  const home = await temporaryFolder()
  const { code, stderr } = await runCommand(['sessions', 'list', ...words], { cwd: home, home })
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('the name of a client as a log is its last session in this folder, or in the nearest one above', async () => {
  const home = await realpath(await temporaryFolder())
  const session = async (id: string, folder: string, at: number) => {
    const cwd = join(home, folder)
    await mkdir(cwd, { recursive: true })
    const file = join(home, `.claude/projects/-x/${id}.jsonl`)
    await mkdir(dirname(file), { recursive: true })
    const message = { role: 'user', content: 'Hello.' }
    const line = { uuid: id, parentUuid: null, sessionId: id, type: 'user', cwd, message }
    await writeFile(file, `${JSON.stringify({ ...line, timestamp: '2026-01-01T00:00:00Z' })}\n`)
    await utimes(file, at, at)
  }
  await session('old', 'shop', 1)
  await session('new', 'shop', 2)
  await session('below', 'shop/src', 3)
  await session('other', 'shopping', 4)
  const sessionIn = async (folder: string) => {
    const cwd = join(home, folder)
    await mkdir(cwd, { recursive: true })
    const argv = ['sessions', 'list', '--log', 'claude-code', '--json']
    const { code, stdout, stderr } = await runCommand(argv, { cwd, home })
    if (code !== 0) return stderr
    const { sessions } = JSON.parse(stdout) as { sessions: readonly { session: string }[] }
    return sessions.map((one) => one.session).join()
  }
  expect(await sessionIn('shop')).toBe('new')
  expect(await sessionIn('shop/docs/deep')).toBe('new')
  expect(await sessionIn('shop/src')).toBe('below')
  expect(await sessionIn('elsewhere')).toContain(
    'No session of claude-code in this folder was found.',
  )
  // A file of this name is what was meant.
  await writeFile(join(home, 'shop/claude-code'), '')
  expect(await sessionIn('shop')).not.toContain('new')
})
