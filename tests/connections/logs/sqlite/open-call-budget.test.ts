import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openCallBudget } from '../../../../src/connections/logs/sqlite/open-call-budget.ts'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'

const CHILD = fileURLToPath(new URL('./spend-in-child.ts', import.meta.url))

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-budget-'))
  file = join(folder, 'budget.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

const call = (principal: string | null) => ({ principal, session: 's', tool: 'buy', call: 'c' })

test('processes with a session each spend exactly the calls of their principal, together', async () => {
  const words = ['--budget', file, '--log', join(folder, 'log.sqlite'), '--calls', '40']
  const children = await Promise.all(
    [1, 2, 3].map(() => promisify(execFile)(process.execPath, [CHILD, ...words])),
  )
  const ran = children.map(({ stdout }) => Number(stdout))
  expect(ran.reduce((sum, one) => sum + one, 0)).toBe(40)
})

test('principals are neighbours: names that look alike share nothing, and none is null', async () => {
  await using budget = await openCallBudget(file, { calls: 1 })
  for (const principal of ['ada', 'Ada', 'ada ', 'null', null, '', '"', '\0', '\ud800']) {
    expect(await budget.take(call(principal))).not.toBeNull()
    expect(await budget.take(call(principal))).toBeNull()
  }
})

test('a call that is given back can be taken again, once', async () => {
  await using budget = await openCallBudget(file, { calls: 2 })
  const giveBack = await budget.take(call('ada'))
  await budget.take(call('ada'))
  expect(await budget.take(call('ada'))).toBeNull()
  await giveBack?.()
  await giveBack?.()
  expect(await budget.take(call('ada'))).not.toBeNull()
  expect(await budget.take(call('ada'))).toBeNull()
})

test('a period begins with all calls, a clock that is set back begins none, and a late return frees none of it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 10_000 })
  try {
    await using budget = await openCallBudget(file, { calls: 1, everyMs: 1000 })
    const giveBack = await budget.take(call('ada'))
    expect(await budget.take(call('ada'))).toBeNull()
    vi.setSystemTime(9000)
    expect(await budget.take(call('ada'))).toBeNull()
    vi.setSystemTime(11_000)
    expect(await budget.take(call('ada'))).not.toBeNull()
    await giveBack?.()
    expect(await budget.take(call('ada'))).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('the file is for its user alone, and no other database is taken for one', async () => {
  const before = process.umask(0o022)
  try {
    await using budget = await openCallBudget(file, { calls: 1 })
    await budget.take(call('ada'))
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(`${file}${suffix}`).mode & 0o777).toBe(0o600)
    }
  } finally {
    process.umask(before)
  }
  const log = await openSqliteLog(join(folder, 'log.sqlite'))
  await log.close()
  writeFileSync(join(folder, 'text'), 'not a database, but a text of some length')
  for (const name of ['log.sqlite', 'text']) {
    await expect(openCallBudget(join(folder, name), { calls: 1 })).rejects.toMatchObject({
      code: 'LOG_FORMAT',
    })
  }
  await expect(openSqliteLog(file)).rejects.toMatchObject({ code: 'LOG_FORMAT' })
})

test.each([
  { calls: -1 },
  { calls: 1.5 },
  { calls: 1, everyMs: 0 },
  { calls: 1, everyMs: Number.NaN },
])('%o is refused', async (options) => {
  await expect(openCallBudget(file, options)).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
})
