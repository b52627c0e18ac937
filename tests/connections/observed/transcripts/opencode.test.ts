import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readOpenCode } from '../../../../src/connections/observed/transcripts/read-open-code.ts'
import { runCommand } from '../../../workbench/cli/run-command.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { CONVERSATIONS, type Line, only, sampleLines } from './samples.ts'
import { writeDatabase } from './write-database.ts'

/** The rows of a sample, with ids that are in the order of the rows, as those of OpenCode are. */
function orderedRows(name: string, session: string): readonly Line[] {
  const text = JSON.stringify(sampleLines('opencode', name))
  const padded = text.replaceAll(
    /"(msg|prt)-(\d+)"/g,
    (_, kind: string, number: string) => `"${session}-${kind}-${number.padStart(4, '0')}"`,
  )
  return JSON.parse(padded.replaceAll('ses-2', session)) as Line[]
}

test('a database has a session for each row, those of subagents too, and is read as its rows are', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'opencode.db')
  const child = orderedRows('load-and-count', 'ses-child').map((row) =>
    row['table'] === 'session' ? { ...row, parent_id: 'ses-main' } : row,
  )
  const rows = [...orderedRows('two-turns', 'ses-main'), ...child]
  const database = writeDatabase(file, rows)
  const before = await filesIn(folder)
  const { code, stdout } = await runCommand(['sessions', 'list', '--json', '--log', file], {
    cwd: folder,
  })
  expect(code).toBe(0)
  const { sessions } = JSON.parse(stdout) as { sessions: readonly { session: string }[] }
  expect(sessions.map(({ session }) => session).toSorted()).toEqual(['ses-child', 'ses-main'])
  expect(await filesIn(folder)).toEqual(before)
  database.close()
  const fromRows = readOpenCode(rows)
  expect(fromRows.map(({ parent }) => parent?.session)).toEqual([undefined, 'ses-main'])
})

/** The files of a folder that a client would see changed. */
async function filesIn(folder: string) {
  const names = (await readdir(folder)).filter((name) => /\.db(?:-wal)?$/.test(name))
  return Promise.all(
    names.toSorted().map(async (name) => {
      const { mtimeMs } = await stat(join(folder, name))
      return { name, mtimeMs, text: (await readFile(join(folder, name))).toString('base64') }
    }),
  )
}

test('a database that OpenCode has closed stays the only file of its folder', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'opencode.db')
  writeDatabase(file, orderedRows('two-turns', 'ses-main')).close()
  const before = await readdir(folder)
  const { code, stdout } = await runCommand(['sessions', 'show', 'latest', '--log', file], {
    cwd: folder,
  })
  expect(code).toBe(0)
  expect(stdout).toContain('tidy-notes')
  expect(await readdir(folder)).toEqual(before)
})

test('a command that would write to the database of OpenCode refuses it', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'opencode.db')
  writeDatabase(file, orderedRows('two-turns', 'ses-main')).close()
  const before = await filesIn(folder)
  const { code } = await runCommand(['run', 'calc', '{}', '--log', file], { cwd: folder })
  expect(code).not.toBe(0)
  expect(await filesIn(folder)).toEqual(before)
})

test.each(CONVERSATIONS)('a database has the same observations as its rows: %s', async (name) => {
  const folder = await temporaryFolder()
  const rows = orderedRows(name, 'ses-2')
  const database = writeDatabase(join(folder, 'opencode.db'), rows)
  const { openCodeRows } =
    await import('../../../../src/connections/observed/transcripts/read-open-code.ts')
  const stored = openCodeRows(database, () => {})
  expect(readOpenCode(stored ?? [])).toEqual(readOpenCode(rows))
  database.close()
})

test.each([
  'VIEW part AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, x AS session_id, x AS message_id, x AS time_created, x AS data FROM n',
  'TABLE part (id, session_id, message_id, time_created, data AS (hex(zeroblob(400000000))))',
])('a database that computes what is read is of no agent: %s', async (part) => {
  const file = join(await temporaryFolder(), 'opencode.db')
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE session (id, parent_id, directory, version, revert, time_created);
    CREATE TABLE message (id, session_id, time_created, data); CREATE ${part}`)
  if (part.startsWith('TABLE')) database.exec('INSERT INTO part (id) VALUES (1), (2), (3)')
  database.close()
  expect(await runCommand(['sessions', 'list', '--log', file], { cwd: '/' })).toMatchObject({
    code: 1,
  })
})

const session: Line = { table: 'session', id: 's', directory: '/project', version: '1.18.33' }

const message = (id: string, role: string, data: Line = {}): Line => ({
  table: 'message',
  id,
  session_id: 's',
  time_created: 5,
  data: { role, modelID: 'm', ...data },
})

const part = (owner: string, id: string, data: Line): Line => ({
  table: 'part',
  id,
  session_id: 's',
  message_id: owner,
  data: JSON.stringify(data),
})

const tool = (call: string, state: Line): Line => ({
  type: 'tool',
  tool: 'bash',
  callID: call,
  state,
})

test('a call that a person or a rule did not allow is refused, another error is a failure', () => {
  const errors = [
    'The user rejected permission to use this specific tool call.',
    'The user rejected permission to use this specific tool call with the following feedback: no',
    'The user has specified a rule which prevents you from using this specific tool call. [rules]',
    'The user was not found',
  ]
  const parts = errors.map((error, at) =>
    part('a', `p${at}`, tool(`c${at}`, { status: 'error', input: {}, error })),
  )
  const running = part('a', 'p9', tool('c9', { status: 'running', input: {} }))
  const [read] = readOpenCode([session, message('a', 'assistant'), ...parts, running])
  expect(only(read?.seen ?? [], 'result').map(({ outcome }) => outcome)).toEqual([
    'refused',
    'refused',
    'refused',
    'failed',
  ])
  expect(only(read?.seen ?? [], 'call')).toHaveLength(5)
  expect(only(read?.seen ?? [], 'request')).toHaveLength(1)
})

test('what the person reverted is a session of its own, after what both have', () => {
  const rows = [
    message('a', 'user'),
    message('b', 'assistant'),
    message('c', 'user'),
    message('d', 'assistant'),
    part('a', 'p1', { type: 'text', text: 'one' }),
    part('b', 'p2', { type: 'step-start' }),
    part('b', 'p3', tool('c1', { status: 'completed', input: {}, output: 'x' })),
    part('b', 'p4', tool('c2', { status: 'completed', input: {}, output: 'y' })),
    part('c', 'p5', { type: 'text', text: 'two' }),
    part('d', 'p6', { type: 'step-start' }),
  ]
  const turns = (revert: unknown) =>
    readOpenCode([{ ...session, revert }, ...rows]).map(({ seen, forkedFrom }) => [
      ...(forkedFrom ? [forkedFrom.seen] : []),
      ...only(seen, 'turn').map(({ text }) => text),
      ...only(seen, 'call').map(({ call }) => call),
    ])
  expect(turns(null)).toEqual([['one', 'two', 'c1', 'c2']])
  expect(turns({ messageID: 'elsewhere' })).toEqual([['one', 'two', 'c1', 'c2']])
  // A turn, a step, and two calls with their results.
  expect(turns({ messageID: 'c' })).toEqual([
    ['one', 'c1', 'c2'],
    [6, 'two'],
  ])
  // A message that was cut is whole in the other session.
  expect(turns(JSON.stringify({ messageID: 'b', partID: 'p4' }))).toEqual([
    ['one', 'c1'],
    [1, 'two', 'c1', 'c2'],
  ])
  expect(turns({ messageID: 'a' })).toEqual([[], [0, 'one', 'two', 'c1', 'c2']])
})

test('a summary is a compaction, and texts of the client are no turns', () => {
  const tokens = { total: 120, input: 60, output: 15, reasoning: 5, cache: { read: 30, write: 10 } }
  const [read] = readOpenCode([
    session,
    message('a', 'user'),
    part('a', 'p1', { type: 'text', text: 'Begin.' }),
    part('a', 'p2', { type: 'text', text: 'A remark.', synthetic: true }),
    message('b', 'assistant'),
    part('b', 'p3', { type: 'step-start' }),
    part('b', 'p4', { type: 'step-finish', tokens }),
    message('c', 'user'),
    part('c', 'p5', { type: 'compaction', auto: true }),
    message('d', 'assistant', { summary: true }),
    part('d', 'p6', { type: 'text', text: 'So far.' }),
  ])
  const at = 5
  expect(read?.seen).toEqual([
    { type: 'turn', text: 'Begin.', at },
    { type: 'request', at },
    {
      type: 'answer',
      usage: { input: 100, cached: 30, written: 10, output: 20, reasoning: 5 },
      model: 'm',
      at,
    },
    { type: 'compacted', tokens: 100, at },
    { type: 'request', at },
    { type: 'said', text: 'So far.', at },
  ])
})
