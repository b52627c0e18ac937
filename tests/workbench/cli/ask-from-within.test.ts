import { mkdir, readFile, realpath, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLIENT_NAMES, type ClientName } from '../../../src/connections/clients/client-profile.ts'
import { sampleLines } from '../../connections/observed/transcripts/samples.ts'
import { writeDatabase } from '../../connections/observed/transcripts/write-database.ts'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'
import { serveStdio } from './serve-stdio.ts'

/** The file in a home in which each client keeps a session. */
const FILES: Readonly<Record<ClientName, string>> = {
  'claude-code': '.claude/projects/p/uuid-1.jsonl',
  codex: '.codex/sessions/2026/01/01/rollout-2026-01-01-uuid-5.jsonl',
  opencode: '.local/share/opencode/opencode.db',
  pi: '.pi/agent/sessions/p/1_uuid-1.jsonl',
  'gemini-cli': '.gemini/tmp/p/chats/session-2026-01-01T00-00-uuid-1.jsonl',
  'qwen-code': '.qwen/projects/p/chats/uuid-1.jsonl',
}

/** Makes a home with the same conversation in a folder for some clients, the first of which wrote last. */
async function homeWith(clients: readonly ClientName[]) {
  const home = await realpath(await temporaryFolder())
  const project = join(home, 'work', 'notes')
  await mkdir(project, { recursive: true })
  for (const [at, client] of clients.entries()) await addSession(client, home, project, at)
  return { home, project }
}

async function addSession(client: ClientName, home: string, project: string, age: number) {
  const file = join(home, FILES[client])
  await mkdir(dirname(file), { recursive: true })
  const text = JSON.stringify(sampleLines(client, 'two-turns')).replaceAll('/project', project)
  const lines = JSON.parse(text) as Record<string, unknown>[]
  if (client === 'opencode') writeDatabase(file, lines).close()
  else await writeFile(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const time = new Date(Date.UTC(2026, 0, 2, 0, 0, -age))
  await utimes(file, time, time)
}

async function ask(
  { home, project }: { readonly home: string; readonly project: string },
  name: string,
  given: Readonly<Record<string, unknown>>,
) {
  const served = await serveStdio(['--observe'], project, { home })
  const { result } = await served.request('tools/call', { name, arguments: given })
  const { errors } = await served.end()
  const { content, isError = false } = result as {
    readonly content: readonly [{ readonly text: string }]
    readonly isError?: boolean
  }
  return { text: content[0].text, isError, errors }
}

/** What a command prints in the folder of the session. */
async function printed(
  { home, project }: { readonly home: string; readonly project: string },
  ...argv: readonly string[]
) {
  return (await runCommand(argv, { cwd: project, home })).stdout
}

describe.each(CLIENT_NAMES)('in a session of %s', (client) => {
  test('the tools answer with what the commands print', async () => {
    const machine = await homeWith([client])
    const log = ['--log', join(machine.home, FILES[client]), '--session', 'latest']
    for (const name of ['tidy-notes', 'stock-report', 'no-such-skill']) {
      const { text } = await ask(machine, 'why', { name })
      expect(text).toBe(await printed(machine, 'why', name, ...log))
    }
    const { text } = await ask(machine, 'skills', {})
    expect(text).toBe(await printed(machine, 'skills', ...log))
    expect(text).toContain('stock-report')
    const cost = await ask(machine, 'cost', {})
    expect(cost.text).toBe(await printed(machine, 'report', join(machine.home, FILES[client])))
    expect(await ask(machine, 'cost', { over: 'project' })).toMatchObject({ isError: false })
  })

  test('moments are compared', async () => {
    const machine = await homeWith([client])
    const { text, isError } = await ask(machine, 'diff', { from: 1 })
    expect(isError).toBe(false)
    const log = ['--log', join(machine.home, FILES[client])]
    expect(text).toBe(await printed(machine, 'diff', 'latest@1', 'latest', ...log))
  })

  test('a session of another project is not read unless it is asked for', async () => {
    const { home, project } = await homeWith([client])
    const other = join(home, 'work', 'other')
    await mkdir(other)
    const refused = await ask({ home, project: other }, 'why', { name: 'tidy-notes' })
    expect(refused).toMatchObject({ isError: true })
    expect(refused.text).toContain(`No session of an agent in ${other} was found.`)
    const asked = await ask({ home, project: other }, 'why', { name: 'tidy-notes', project })
    expect(asked.text).toMatch(/^tidy-notes \(skill\)/)
  })
})

test('a home is no project of all that is in it', async () => {
  const { home } = await homeWith(CLIENT_NAMES)
  for (const cwd of [home, join(home, 'work')]) {
    const { text } = await ask({ home, project: cwd }, 'skills', {})
    expect(text).toContain('No session of an agent')
  }
})

test('a session begun in another folder of the repository is of the project', async () => {
  const { home, project } = await homeWith(['pi'])
  await mkdir(join(home, 'work', '.git'))
  const beside = join(home, 'work', 'beside')
  await mkdir(beside)
  const { text } = await ask({ home, project: beside }, 'why', { name: 'tidy-notes' })
  expect(text).toMatch(/^tidy-notes \(skill\)/)
  expect(await ask({ home, project }, 'why', { name: 'tidy-notes' })).toMatchObject({ text })
})

test('the agent that wrote last is asked about, or the one that is given', async () => {
  const machine = await homeWith(['codex', ...CLIENT_NAMES.filter((one) => one !== 'codex')])
  for (const agent of CLIENT_NAMES) {
    const { text } = await ask(machine, 'why', { name: 'no-such-skill', agent })
    expect(text).toContain(`in ${agent}`)
  }
  const { text } = await ask(machine, 'why', { name: 'no-such-skill' })
  expect(text).toContain('in codex')
})

test('a session is given by its id, also by the beginning of it', async () => {
  const machine = await homeWith(['codex', 'claude-code'])
  const claude = await ask(machine, 'why', { name: 'no-such-skill', session: 'uuid-1' })
  expect(claude.text).toContain('in claude-code')
  const none = await ask(machine, 'why', { name: 'tidy-notes', session: 'uuid-7' })
  expect(none).toMatchObject({ isError: true })
  expect(none.text).toContain('No session "uuid-7" of an agent')
})

test('a misspelled name is put right, and a path is no name', async () => {
  const machine = await homeWith(['claude-code'])
  const folder = join(machine.project, '.claude/skills/tidy-notes')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'SKILL.md'),
    '---\nname: tidy-notes\ndescription: Sorts.\n---\nSort.',
  )
  const { text } = await ask(machine, 'why', { name: 'tidy-note' })
  expect(text).toContain('fix: Did you mean "tidy-notes"?')
  const path = await ask(machine, 'why', { name: '../../../etc/cron.d/x' })
  expect(path.text).toContain('fix: Give the name of a skill: letters, digits and hyphens.')
})

test('four tools that only read are listed, and nothing is written', async () => {
  const machine = await homeWith(CLIENT_NAMES)
  const before = await Promise.all(
    CLIENT_NAMES.map((client) => readFile(join(machine.home, FILES[client]))),
  )
  const { request, end, result } = await serveStdio(['--observe'], machine.project, machine)
  expect(result).toMatchObject({ instructions: expect.stringContaining('change nothing') })
  const listed = await request('tools/list')
  const { tools } = listed.result as { readonly tools: readonly { readonly name: string }[] }
  expect(tools.map(({ name }) => name)).toEqual(['cost', 'diff', 'skills', 'why'])
  for (const tool of tools) expect(tool).toMatchObject({ annotations: { readOnlyHint: true } })
  for (const { name } of tools) {
    await request('tools/call', { name, arguments: { name: 'tidy-notes', from: 1 } })
  }
  await end()
  const after = await Promise.all(
    CLIENT_NAMES.map((client) => readFile(join(machine.home, FILES[client]))),
  )
  expect(after).toEqual(before)
})

test('a secret that was written to the agent is not in an answer', async () => {
  const machine = await homeWith(['claude-code'])
  const file = join(machine.home, FILES['claude-code'])
  const secret = 'sk-ant-api03-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA'
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll('report the stock', `use ${secret} and report the stock`))
  const { text: answered } = await ask(machine, 'why', { name: 'tidy-notes' })
  expect(answered).toContain('[redacted]')
  expect(answered).not.toContain(secret)
})

test.each([
  [['--observe', './skills']],
  [['--observe', '--http', '0']],
  [['--observe', '--log', 'x.sqlite']],
  [['--observe', '--live']],
])('%j is refused', async (argv) => {
  const { code, stderr } = await runCommand(['mcp', 'serve', ...argv], {
    cwd: await temporaryFolder(),
  })
  expect(code).toBe(2)
  expect(stderr).toContain('--observe goes with no path and no other option.')
})
