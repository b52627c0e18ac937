import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportLog } from '../../../../src/connections/logs/jsonl/export-lines.ts'
import { readJsonlLog } from '../../../../src/connections/logs/jsonl/open-log-file.ts'
import { repairJsonlLog } from '../../../../src/connections/logs/jsonl/repair-jsonl-log.ts'
import { createMemoryLog } from '../../../../src/workspace/log/memory-log.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

/** A log of ten appends of one entry each: a header and line 2 for entry 0. */
async function tenEntries() {
  const folder = await temporaryFolder()
  const file = join(folder, 'run.jsonl')
  const log = createMemoryLog()
  await log.append('s1', 0, someEntries(0, 10))
  const text = await exportLog(log, 's1')
  await writeFile(file, text)
  return { folder, file, text }
}

test('a damaged log is cut after its last whole append', async () => {
  const { file, text } = await tenEntries()
  const damaged = text.replace('"seq":4', '"seq":5')
  await writeFile(file, damaged)
  const told = {
    session: 's1',
    lastGoodSeq: 3,
    reason: 'line 6: its checksum does not match',
    line: 6,
    lost: { count: 6, unit: 'line' },
  }
  expect(await repairJsonlLog(file, { dryRun: true })).toMatchObject({
    damages: [told],
    copy: null,
  })
  expect(await readFile(file, 'utf8')).toBe(damaged)
  const copy = `${file}.damaged-1`
  expect(await repairJsonlLog(file)).toEqual({ file, damages: [told], definitions: 0, copy })
  expect(await readFile(copy, 'utf8')).toBe(damaged)
  expect(await (await readJsonlLog(file))?.read('s1')).toEqual(someEntries(0, 4))
  expect((await repairJsonlLog(file)).damages).toEqual([])
})

test('a copy that is there is never overwritten', async () => {
  const { folder, file, text } = await tenEntries()
  await writeFile(`${file}.damaged-1`, 'kept by somebody')
  await writeFile(file, text.replace('"seq":4', '"seq":5'))
  expect((await repairJsonlLog(file)).copy).toBe(`${file}.damaged-2`)
  expect(await readFile(`${file}.damaged-1`, 'utf8')).toBe('kept by somebody')
  expect((await readdir(folder)).sort()).toEqual([
    'run.jsonl',
    'run.jsonl.damaged-1',
    'run.jsonl.damaged-2',
  ])
})

test.each([
  ['whole', (text: string) => text],
  ['cut in its last append, which was not acknowledged', (text: string) => text.slice(0, -9)],
])('a log that is %s is left alone', async (_what, change) => {
  const { folder, file, text } = await tenEntries()
  await writeFile(file, change(text))
  expect(await repairJsonlLog(file)).toEqual({ file, damages: [], definitions: 0, copy: null })
  expect(await readFile(file, 'utf8')).toBe(change(text))
  expect(await readdir(folder)).toEqual(['run.jsonl'])
})

test('nothing is left of a log whose first line is damaged, but its copy', async () => {
  const { file, text } = await tenEntries()
  await writeFile(file, text.replace('"session":"s1"', '"session":"s2"'))
  expect((await repairJsonlLog(file)).damages).toMatchObject([{ session: null, lastGoodSeq: -1 }])
  expect(await readFile(file, 'utf8')).toBe('')
  expect(await (await readJsonlLog(file))?.list()).toEqual([])
})

test.each([
  ['what is no log', 'a letter\n', 'LOG_FORMAT'],
  ['a log of a later format', '{"loadout":"log","format":99,"session":"s"}\n', 'LOG_FORMAT'],
])('%s is refused and not changed', async (_what, text, code) => {
  const folder = await temporaryFolder()
  const file = join(folder, 'run.jsonl')
  await writeFile(file, text)
  await expect(repairJsonlLog(file)).rejects.toMatchObject({ code })
  await expect(repairJsonlLog(join(folder, 'gone'))).rejects.toMatchObject({ code: 'LOG_EMPTY' })
  expect(await readdir(folder)).toEqual(['run.jsonl'])
})
