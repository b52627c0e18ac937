import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportLog } from '../../../src/adapters/logs/jsonl/export-lines.ts'
import { importLog } from '../../../src/adapters/logs/jsonl/import-session.ts'
import { openSqliteLog } from '../../../src/adapters/logs/sqlite/open-sqlite-log.ts'
import { anOffice } from './an-office.ts'

const CHILD = fileURLToPath(new URL('./resume-in-child.ts', import.meta.url))

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-sqlite-'))
  file = join(folder, 'sessions.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a session goes on in another process, and the first one sees what happened there', async () => {
  await using log = await openSqliteLog(file)
  const workspace = await anOffice(log)
  await workspace.activateSkill('research')
  const before = JSON.parse(JSON.stringify(workspace.state)) as unknown
  const output = execFileSync(process.execPath, [CHILD, file], { encoding: 'utf8' })
  const { state, answer } = JSON.parse(output) as { state: unknown; answer: unknown }
  expect(state).toEqual(before)
  expect(answer).toMatchObject({ ok: true, data: { word: 'owl' } })
  await workspace.beginTurn()
  const types = (await log.read('work')).map(({ event }) => event.type)
  expect(types).toContain('call.ended')
  expect(workspace.state.seq).toBe(types.length - 1)
  await workspace.close()
})

test('a session leaves as JSON Lines and comes into another file the same', async () => {
  await using from = await openSqliteLog(file)
  const workspace = await anOffice(from)
  await workspace.activateSkill('research')
  await workspace.close()
  const text = await exportLog(from, 'work')

  await using to = await openSqliteLog(`${file}.copy`)
  const { session, entries, definitions } = importLog(text)
  expect(definitions.size).toBeGreaterThan(0)
  for (const [hash, value] of definitions) await to.definitions.put(hash, value)
  await to.append(session ?? '', 0, entries)
  expect(await exportLog(to, 'work')).toBe(text)
})
