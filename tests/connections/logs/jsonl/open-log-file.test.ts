import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { exportLog } from '../../../../src/connections/logs/jsonl/export-lines.ts'
import { readJsonlLog } from '../../../../src/connections/logs/jsonl/open-log-file.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { createMemoryLog } from '../../../../src/workspace/log/memory-log.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'

const ENTRIES = someEntries(0, 5, 'é\u{1F600}')
const used = { name: 'search' }

let folder = ''
let file = ''
let text = ''

beforeEach(async () => {
  folder = await temporaryFolder()
  file = join(folder, 'run.jsonl')
  const log = createMemoryLog()
  await log.append('s1', 0, ENTRIES)
  text = await exportLog(log, 's1')
})

test('the session of a file is read as it was exported, and the file is not changed', async () => {
  const log = createMemoryLog()
  await log.definitions.put(textHash('a'), used)
  const opened = { type: 'source.opened', source: 'skill', owner: 'a', claims: [] } as const
  const event = {
    ...opened,
    definition: textHash('a'),
    lifetime: 'session',
    requested: true,
  } as const
  await log.append('s1', 0, [{ seq: 0, at: 1_000, cause: { by: 'user' }, event }])
  await writeFile(file, await exportLog(log, 's1'))
  const read = await readJsonlLog(file)
  if (read === null) throw new Error('There is a file.')
  expect(await read.list()).toMatchObject([{ session: 's1', version: 1, openedAt: 1_000 }])
  expect(await read.read('s1')).toEqual(await log.read('s1'))
  expect(await storedDefinition(read, textHash('a'))).toEqual(used)
  expect(await exportLog(read, 's1')).toBe(await exportLog(log, 's1'))
  expect(read.follow).toBeUndefined()
  expect(await readdir(folder)).toEqual(['run.jsonl'])
})

test('what an interrupted append left at the end is not read', async () => {
  for (let cut = 0; cut < text.length; cut += 11) {
    await writeFile(file, text.slice(0, cut))
    const log = await readJsonlLog(file)
    const entries = (await log?.read('s1')) ?? []
    expect(entries).toEqual(ENTRIES.slice(0, entries.length))
    expect(entries.length).toBe(Math.max(0, text.slice(0, cut).split('\n').length - 2))
  }
})

test('a file that does not exist is null, and is not created', async () => {
  expect(await readJsonlLog(file)).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

test.each([
  ['is damaged', () => text.replace('"seq":2', '"seq":7'), 'LOG_DAMAGED'],
  ['is something else', () => 'my notes', 'LOG_FORMAT'],
])('a file that %s is refused with its name', async (_what, content, code) => {
  await writeFile(file, content())
  await expect(readJsonlLog(file)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(file) as string,
    facts: { file },
  })
})

test('a folder is refused', async () => {
  await mkdir(file)
  await expect(readJsonlLog(file)).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
})

test.runIf(process.platform !== 'win32')('a FIFO is refused, without waiting', async () => {
  execFileSync('mkfifo', [file])
  await expect(readJsonlLog(file)).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
})
