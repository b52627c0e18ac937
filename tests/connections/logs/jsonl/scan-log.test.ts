import { describe, expect, test } from 'vitest'
import {
  encodeLines,
  FIRST_SUM,
  headerLine,
  LOG_BEGINNING,
  type LogLine,
} from '../../../../src/connections/logs/jsonl/log-line.ts'
import { scanLog } from '../../../../src/connections/logs/jsonl/scan-log.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import type { Entry } from '../../../../src/engine/model/workspace-event.ts'
import { storedEntry } from '../../../../src/workspace/log/stored-entry.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'

const ENTRIES = someEntries(0, 30, 'é\u{1F600}')
const definition: LogLine = { definition: { hash: textHash('a'), value: { name: 'search' } } }
const lineOf = (entry: Entry): LogLine => ({ entry: storedEntry(entry) })

/** Thirty entries in appends of one to four, and definitions between them. */
function sample(): { readonly bytes: Buffer; readonly versions: readonly number[] } {
  const chunks: Uint8Array[] = []
  const versions = [0]
  let sum = FIRST_SUM
  for (let version = 0, size = 1; version < ENTRIES.length; size = (size % 4) + 1) {
    const entries = ENTRIES.slice(version, version + size).map(lineOf)
    const lines = [
      ...(version === 0 ? [headerLine('s1')] : []),
      ...(size === 3 ? [definition] : []),
      ...entries,
    ]
    const encoded = encodeLines(lines, sum)
    sum = encoded.sum
    chunks.push(encoded.bytes)
    version += entries.length
    versions.push(version)
  }
  return { bytes: Buffer.concat(chunks), versions }
}

const { bytes, versions } = sample()
const LINES = bytes.toString().split('\n')

/** Text as the only thing in a log, with right checksums. */
const forged = (...lines: readonly unknown[]): Uint8Array =>
  encodeLines(lines as readonly LogLine[], FIRST_SUM).bytes

function codeOf(read: () => unknown): string {
  try {
    read()
    return 'read'
  } catch (error) {
    return WorkspaceError.is(error) ? error.code : `not ours: ${String(error)}`
  }
}

test('a whole log is read whole', () => {
  const { entries, definitions, end, unfinished } = scanLog(bytes, LOG_BEGINNING)
  expect(entries).toEqual(ENTRIES)
  expect([...definitions]).toEqual([[textHash('a'), { name: 'search' }]])
  expect(end).toMatchObject({
    offset: bytes.length,
    lines: LINES.length - 1,
    session: 's1',
    version: 30,
  })
  expect(unfinished).toBe(0)
})

test('a log is read on from any place between two appends', () => {
  let end = LOG_BEGINNING
  const read = []
  for (let offset = 0; offset <= bytes.length; offset += 100) {
    const scan = scanLog(bytes.subarray(end.offset, offset), end)
    read.push(...scan.entries)
    end = scan.end
  }
  read.push(...scanLog(bytes.subarray(end.offset), end).entries)
  expect(read).toEqual(ENTRIES)
})

test('a log cut at any byte gives the appends before the cut, all of each', () => {
  const seen = new Set<number>()
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { entries, end, unfinished } = scanLog(bytes.subarray(0, cut), LOG_BEGINNING)
    expect(versions).toContain(entries.length)
    expect(entries).toEqual(ENTRIES.slice(0, entries.length))
    expect(end.offset + unfinished).toBe(cut)
    seen.add(entries.length)
  }
  expect([...seen]).toEqual(versions)
})

test('a flipped bit, wherever it is, never changes what is read', () => {
  let damaged = 0
  const newlines = [...bytes.keys()].filter((at) => bytes[at] === 0x0a)
  const everySeventh = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => index * 7)
  for (const at of [...everySeventh, ...newlines]) {
    for (const bit of [0, at % 8, 7]) {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at)
      const code = codeOf(() => scanLog(flipped, LOG_BEGINNING))
      expect(['LOG_DAMAGED', 'LOG_FORMAT']).toContain(code)
      damaged += 1
    }
  }
  expect(damaged).toBeGreaterThan(1000)
})

test.each<{ what: string; change: (lines: string[]) => readonly string[] }>([
  { what: 'lost', change: (lines) => lines.toSpliced(5, 1) },
  { what: 'doubled', change: (lines) => lines.toSpliced(5, 0, lines[5] ?? '') },
  { what: 'moved', change: (lines) => lines.toSpliced(5, 2, lines[6] ?? '', lines[5] ?? '') },
  { what: 'replaced by NULs', change: (lines) => lines.with(5, '\0'.repeat(80)) },
  { what: 'emptied', change: (lines) => lines.with(5, '') },
])('a line that is $what is damage', ({ change }) => {
  const changed = Buffer.from(change([...LINES]).join('\n'))
  expect(() => scanLog(changed, LOG_BEGINNING)).toThrow(
    expect.objectContaining({
      code: 'LOG_DAMAGED',
      facts: expect.objectContaining({ line: expect.any(Number) as number }) as object,
    }),
  )
})

test('a line of another log is damage, although it is valid and could be there', () => {
  const logOf = (note: string): readonly string[] => {
    let sum = FIRST_SUM
    return [headerLine(note), ...someEntries(0, 3, note).map(lineOf)].map((line) => {
      const encoded = encodeLines([line], sum)
      sum = encoded.sum
      return Buffer.from(encoded.bytes).toString()
    })
  }
  const [, , foreign = ''] = logOf('other')
  const mixed = Buffer.from(logOf('own').toSpliced(2, 1, foreign).join(''))
  expect(codeOf(() => scanLog(mixed, LOG_BEGINNING))).toBe('LOG_DAMAGED')
})

test('damage is reported with what is left', () => {
  const changed = Buffer.from(bytes.toString().replace('"seq":7', '"seq":8'))
  let error: unknown
  try {
    scanLog(changed, LOG_BEGINNING, 'run.jsonl')
  } catch (thrown) {
    error = thrown
  }
  const { message, hint, facts } = error as WorkspaceError
  expect({ message, hint, facts }).toMatchInlineSnapshot(`
    {
      "facts": {
        "file": "run.jsonl",
        "goodLines": 8,
        "lastGoodSeq": 5,
        "line": 10,
        "reason": "its checksum does not match",
      },
      "hint": "Entries up to 5 are valid: the first 8 lines alone are a log.",
      "message": "Line 10 of run.jsonl is damaged: its checksum does not match.",
    }
  `)
  const left = LINES.slice(0, Number(facts['goodLines'])).map((line) => `${line}\n`)
  const rescued = scanLog(Buffer.from(left.join('')), LOG_BEGINNING)
  expect(rescued.entries).toEqual(ENTRIES.slice(0, Number(facts['lastGoodSeq']) + 1))
})

describe('a log is refused', () => {
  test.each([
    { what: 'text', text: 'hello\n' },
    { what: 'text without a newline', text: 'hello' },
    { what: 'other JSON Lines', text: '{"a":1}\n{"a":2}\n' },
    { what: 'JSON that starts alike', text: '{"loadout":"skills"}' },
    { what: 'NULs', text: '\0'.repeat(4096) },
  ])('when it is $what', ({ text }) => {
    expect(codeOf(() => scanLog(Buffer.from(text), LOG_BEGINNING))).toBe('LOG_FORMAT')
  })

  test('when its format is a later one, in words', () => {
    const text = '{"loadout":"log","format":3,"chapters":[]}\n'
    expect(() =>
      scanLog(Buffer.from(text), LOG_BEGINNING, 'run.jsonl'),
    ).toThrowErrorMatchingInlineSnapshot(
      `[WorkspaceError: run.jsonl is a log of format 3; this version reads formats up to 2.]`,
    )
  })

  const header = headerLine('s1')
  const [first, second] = ENTRIES
  test.each([
    { what: 'an entry before the header', lines: [{ entry: first }], code: 'LOG_FORMAT' },
    { what: 'two headers', lines: [header, header], code: 'LOG_DAMAGED' },
    { what: 'a header without a session', lines: [{ ...header, session: 1 }], code: 'LOG_DAMAGED' },
    { what: 'a gap', lines: [header, { entry: second }], code: 'LOG_DAMAGED' },
    { what: 'a line of nothing known', lines: [header, { snapshot: {} }], code: 'LOG_DAMAGED' },
    {
      what: 'a definition without a value',
      lines: [header, { definition: { hash: textHash('a') } }],
      code: 'LOG_DAMAGED',
    },
    {
      what: 'an unknown event',
      lines: [header, { entry: { ...first, event: { type: 'skill.learnt' } } }],
      code: 'LOG_UNKNOWN_EVENT',
    },
  ])('when it has $what, for all its right checksums', ({ lines, code }) => {
    expect(codeOf(() => scanLog(forged(...lines), LOG_BEGINNING))).toBe(code)
  })
})

test('an empty file is an empty log', () => {
  expect(scanLog(new Uint8Array(), LOG_BEGINNING)).toMatchObject({
    end: LOG_BEGINNING,
    unfinished: 0,
  })
})
