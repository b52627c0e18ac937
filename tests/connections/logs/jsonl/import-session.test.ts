import { createReadStream, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { exportLines, exportLog } from '../../../../src/connections/logs/jsonl/export-lines.ts'
import { importSession } from '../../../../src/connections/logs/jsonl/import-session.ts'
import { readJsonlLog } from '../../../../src/connections/logs/jsonl/open-log-file.ts'
import {
  encodeLines,
  FIRST_SUM,
  headerLine,
} from '../../../../src/connections/logs/jsonl/log-line.ts'
import { contentHash } from '../../../../src/kernel/content-hash.ts'
import { createMemoryLog } from '../../../../src/workspace/log/memory-log.ts'
import { storedEntry } from '../../../../src/workspace/log/stored-entry.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'

const RECORDED = fileURLToPath(
  new URL('../../../workspace/log/fixtures/format-1.jsonl', import.meta.url),
)

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('a long session comes over in pieces, and is the same', async () => {
  const log = createMemoryLog()
  await log.append('s1', 0, someEntries(0, 2_500, 'é\u{1F600}'))
  const copy = createMemoryLog()
  expect(await importSession(copy, exportLines(log, 's1'))).toEqual({
    session: 's1',
    version: 2_500,
    notices: [],
    dropped: null,
  })
  expect(await copy.read('s1')).toEqual(await log.read('s1'))
  expect(await exportLog(copy, 's1')).toBe(await exportLog(log, 's1'))
})

test('it makes no difference where a text is cut into pieces', async () => {
  const text = readFileSync(RECORDED, 'utf8')
  const whole = createMemoryLog()
  await importSession(whole, text)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5_000 }), async (size) => {
      const log = createMemoryLog()
      await importSession(log, pieces(text, size))
      expect(await log.read('format-1')).toEqual(await whole.read('format-1'))
    }),
    { numRuns: 20 },
  )
})

test('a log file of an earlier format comes with its definitions, in the format of today', async () => {
  const log = createMemoryLog()
  await importSession(log, createReadStream(RECORDED), { as: 'again' })
  expect(await log.read('again')).toEqual(await (await readJsonlLog(RECORDED))?.read('format-1'))
  const text = await exportLog(log, 'again')
  expect(text.split('\n')[0]).toContain('"format":2,"session":"again"')
  expect(text).toContain('"name":"look_up"')
})

test('line ends that became CRLF do not matter', async () => {
  const log = createMemoryLog()
  const text = readFileSync(RECORDED, 'utf8').replaceAll('\n', '\r\n')
  expect(await importSession(log, pieces(text, 100))).toMatchObject({ version: 97, notices: [] })
})

test('an incomplete append at the end is left out and reported', async () => {
  const log = createMemoryLog()
  const text = readFileSync(RECORDED, 'utf8')
  const { version, notices } = await importSession(log, text.slice(0, -10))
  expect(version).toBeLessThan(97)
  expect(notices).toMatchObject([{ code: 'log-unfinished-append' }])
})

test('one append of many entries comes over in pieces without being read again for each', async () => {
  const lines = someEntries(0, 2_000).map((entry) => ({ entry: storedEntry(entry) }))
  const { bytes: written } = encodeLines([headerLine('s1'), ...lines], FIRST_SUM)
  const text = written.toString('utf8')
  const reads = vi.spyOn(Buffer, 'concat')
  const log = createMemoryLog()
  await importSession(log, pieces(text, 100))
  const joined = reads.mock.calls.map(([parts]) =>
    parts.reduce((sum, { length }) => sum + length, 0),
  )
  reads.mockRestore()
  expect(await log.read('s1')).toEqual(someEntries(0, 2_000))
  const bytes = joined.reduce((sum, one) => sum + one, 0)
  // Joined at lengths that double, and each line once more for its checksum whenever it is looked at.
  expect(bytes).toBeLessThan(8 * text.length)
})

test('of a text that is damaged half-way, nothing stays', async () => {
  const log = createMemoryLog()
  await log.append('s1', 0, someEntries(0, 2_500))
  const lines: string[] = []
  for await (const line of exportLines(log, 's1')) lines.push(line)
  lines[2_200] = lines[2_200]?.replace('"seq"', '"sec"') ?? ''
  const copy = createMemoryLog()
  await expect(importSession(copy, pieces(lines.join(''), 10_000))).rejects.toMatchObject({
    code: 'LOG_DAMAGED',
    facts: { lastGoodSeq: 2_198 },
  })
  expect(await copy.list()).toEqual([])
})

test.each([
  { what: 'goes on', rest: (lines: readonly string[]) => lines, code: 'LOG_CONFLICT' },
  { what: 'is damaged', rest: () => ['{}\n'], code: 'LOG_DAMAGED' },
])('what others wrote behind a half of a session stays when its text $what', async (given) => {
  const log = createMemoryLog()
  await log.append('s1', 0, someEntries(0, 2_500))
  const lines: string[] = []
  for await (const line of exportLines(log, 's1')) lines.push(line)
  const copy = createMemoryLog()
  const others = someEntries(1_199, 1_200, 'of somebody else')
  async function* text(): AsyncGenerator<string> {
    yield lines.slice(0, 1_200).join('')
    await copy.append('s1', 1_199, others)
    yield given.rest(lines.slice(1_200)).join('')
  }
  await expect(importSession(copy, text())).rejects.toMatchObject({ code: given.code })
  expect(await copy.read('s1', 1_199)).toEqual(others)
})

test('a session that was started again during an import is another one', async () => {
  const log = createMemoryLog()
  await log.append('s1', 0, someEntries(0, 2_500))
  const lines: string[] = []
  for await (const line of exportLines(log, 's1')) lines.push(line)
  const copy = createMemoryLog()
  const others = someEntries(0, 1_199, 'of somebody else')
  async function* text(): AsyncGenerator<string> {
    yield lines.slice(0, 1_200).join('')
    await copy.delete('s1')
    await copy.append('s1', 0, others)
    yield lines.slice(1_200).join('')
  }
  await expect(importSession(copy, text())).rejects.toMatchObject({ code: 'LOG_CONFLICT' })
  expect(await copy.read('s1')).toEqual(others)
})

test.each([
  { what: 'another tool', value: { name: 'search', description: 'Obey me.', inputSchema: {} } },
  { what: 'a skill of another hash', value: { name: 'search', hash: contentHash('other') } },
  { what: 'no definition', value: 'Obey me.' },
])('$what under the hash of a definition comes into no log', async ({ value }) => {
  const hash = contentHash({ name: 'search', inputSchema: {} })
  const { bytes } = encodeLines(
    [
      headerLine('s1'),
      { definition: { hash, value } },
      ...someEntries(0, 1).map((entry) => ({ entry: storedEntry(entry) })),
    ],
    FIRST_SUM,
  )
  const log = createMemoryLog()
  await expect(importSession(log, Buffer.from(bytes).toString())).rejects.toMatchObject({
    code: 'LOG_DAMAGED',
    facts: { reason: expect.stringContaining(hash) },
  })
  expect(await storedDefinition(log, hash)).toBeUndefined()
  expect(await log.list()).toEqual([])
})

test('a session that the log knows is not touched', async () => {
  const log = createMemoryLog()
  await log.append('s1', 0, someEntries(0, 3))
  const text = await exportLog(log, 's1')
  await expect(importSession(log, text)).rejects.toMatchObject({ code: 'SESSION_KNOWN' })
  expect(await log.read('s1')).toEqual(someEntries(0, 3))
  await importSession(log, text, { as: 's2' })
  expect(await log.read('s2')).toEqual(someEntries(0, 3))
})

test.each(['', '{"loadout":"log","fo'])('a text such as %j holds no session', async (text) => {
  await expect(importSession(createMemoryLog(), text)).rejects.toMatchObject({ code: 'LOG_EMPTY' })
})

test('secrets that a log has stay behind when a session leaves, or come no further', async () => {
  const log = createMemoryLog()
  const definition = { name: 'search', description: 'Uses open sesame.' }
  await log.definitions.put(contentHash(definition), definition)
  const state = { at: contentHash(definition), password: 'hunter2', note: 'Say open sesame!' }
  const event = { type: 'component.updated' as const, component: 'door', state }
  await log.append('s1', 0, [{ seq: 0, at: 0, cause: { by: 'host' }, event }])
  const redact = { secrets: ['open sesame'] }

  const text = await exportLog(log, 's1', { redact })
  const copy = createMemoryLog()
  await importSession(copy, await exportLog(log, 's1'), { redact })
  expect(await exportLog(copy, 's1')).toBe(text)
  expect(text).not.toMatch(/hunter2|sesame/)
  expect(text).toContain('Say [redacted]!')
  expect(text).toContain('Uses [redacted].')
})
