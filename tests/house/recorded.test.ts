import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { compareRecords } from '../../scripts/recorded/compare-records.ts'
import { normalise } from '../../scripts/recorded/normalise.ts'
import { readRecords, writeRecords } from '../../scripts/recorded/record-file.ts'
import { temporaryFolder } from '../workbench/project/temporary-folder.ts'

const digest = createHash('sha256').update('new').digest('hex')

const problems = (
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  explained: Parameters<typeof compareRecords>[2] = [],
  all = true,
) =>
  compareRecords(
    new Map(Object.entries(before)),
    new Map(Object.entries(now)),
    explained,
    all,
  ).differences.map(({ record, problem }) => `${record} ${problem}`)

test('a record that differs is a difference, and its line in the file explains that text alone', () => {
  const line = { record: 'a', now: digest, why: 'It was wrong.' }
  expect(problems({ a: 'old' }, { a: 'old' })).toEqual([])
  expect(problems({ a: 'old' }, { a: 'new' })).toEqual([`a differs (now ${digest})`])
  expect(problems({ a: 'old' }, { a: 'new' }, [line])).toEqual([])
  expect(problems({ a: 'old' }, { a: 'new' }, [{ ...line, why: '' }])).toHaveLength(1)
  expect(problems({ a: 'old' }, { a: 'newer' }, [line])).toEqual([
    expect.stringContaining('not as its line in differences.json says'),
  ])
})

test('a line that explains nothing is a difference', () => {
  const line = { record: 'a', now: digest, why: 'It was wrong.' }
  expect(problems({ a: 'old' }, { a: 'old' }, [line])).toEqual([
    'a is equal again: delete its line in differences.json',
  ])
  expect(problems({}, {}, [line])).toEqual(['a is explained, and nothing makes it'])
})

test('a record that is missing, and one that nothing makes, are differences', () => {
  expect(problems({}, { a: 'new' })).toEqual([expect.stringContaining('a is not recorded')])
  expect(problems({ a: 'old' }, {})).toEqual(['a is recorded, and nothing makes it'])
  expect(problems({ a: 'old' }, {}, [], false)).toEqual([])
})

test('a file of records keeps the bytes of each text', async () => {
  const file = join(await temporaryFolder(), 'records/a.txt')
  const records = [
    { name: 'empty', text: '' },
    { name: 'no end of line', text: 'a\r\nb' },
    { name: 'ends of lines', text: '\n==== \n手紙\n\n' },
  ]
  writeRecords(file, records)
  expect([...readRecords(file)].map(([name, text]) => ({ name, text }))).toEqual(records)
  expect(() => writeRecords(file, [{ name: 'x', text: 'a\n=== b' }])).toThrow('cannot be recorded')
})

test('only what is random or belongs to a machine is masked, and equal ids stay equal', () => {
  const id = '5f0c3a9e1b7d48c2a6e4f3901d2b8c75'
  const text = `/tmp/loadout-1-2/project ${id} ${id.replace('5', '6')} ${id} 2026-11-28T16:18:37.123Z 12:00:00 session 0123abcd answered after 41 ms, within 30 s sha256:${id}${id}`
  const around = { run: '/tmp/loadout-1-2', packages: '/tmp/packages', version: '0.1.0' }
  expect(normalise(text, around)).toBe(
    `<run>/project <id 1> <id 2> <id 1> <time> <clock> session <id> answered after <measured> , within 30 s sha256:${id}${id}`,
  )
  expect(normalise('0.1.0\n10.1.0\nloadout 0.1.0', around)).toBe(
    '<version>\n10.1.0\nloadout <version>',
  )
})
