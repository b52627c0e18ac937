import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCachedCounter } from '../../../src/workbench/project/open-cached-counter.ts'
import { o200kCounter } from '../../../src/workspace/open/o200k-counter.ts'
import { temporaryFolder } from './temporary-folder.ts'

const TEXTS = ['', 'one', '# A skill\n\nDo this, then that.', '<|endoftext|>', '写一个计划 🧑‍🚀']
const { count } = await o200kCounter()
const truth = TEXTS.map(count)

async function aFile(): Promise<string> {
  return join(await temporaryFolder(), 'cache', 'token-counts')
}

test('counts as the tokenizer does, the first time and from the file', async () => {
  const file = await aFile()
  const first = openCachedCounter(file)
  expect(TEXTS.map((text) => first.count(text))).toEqual(truth)
  first.keep()
  const text = readFileSync(file, 'utf8')
  expect(text.split('\n')).toHaveLength(TEXTS.length + 2)
  const again = openCachedCounter(file)
  expect(TEXTS.map((one) => again.count(one))).toEqual(truth)
})

test('what the file says is believed, so that no tokenizer is needed', async () => {
  const file = await aFile()
  const first = openCachedCounter(file)
  first.count('one')
  first.keep()
  writeFileSync(file, readFileSync(file, 'utf8').replace(/ 1$/m, ' 41'))
  expect(openCachedCounter(file).count('one')).toBe(41)
})

test('the file has the counts of two runs, and nothing is written when nothing is new', async () => {
  const file = await aFile()
  for (const text of ['one', 'two']) {
    const counter = openCachedCounter(file)
    counter.count(text)
    counter.keep()
  }
  const { mtimeNs } = statSync(file, { bigint: true })
  const third = openCachedCounter(file)
  expect([third.count('one'), third.count('two')]).toEqual([1, 1])
  third.keep()
  expect(statSync(file, { bigint: true }).mtimeNs).toBe(mtimeNs)
  expect(readdirSync(join(file, '..'))).toEqual(['token-counts'])
})

test.each([
  ['of another tokenizer', 'counts 1 cl100k_base\n'],
  ['of a later form', 'counts 2 o200k_base\n'],
  ['bytes', '\0\xff\n'],
  ['lines of something else', 'counts 1 o200k_base\nzz 3\nabc\n__proto__ 7\n'],
])('a file that is damaged is passed over and replaced: %s', async (_, text) => {
  const file = await aFile()
  mkdirSync(join(file, '..'))
  writeFileSync(file, text)
  const counter = openCachedCounter(file)
  expect(counter.count('one')).toBe(1)
  counter.keep()
  expect(readFileSync(file, 'utf8')).toMatch(/^counts 1 o200k_base\n[0-9a-f]{32} 1\n$/)
})

test('a folder in its place, or a place that cannot be written, takes nothing away', async () => {
  const folder = await temporaryFolder()
  const counter = openCachedCounter(folder)
  expect(counter.count('one')).toBe(1)
  counter.keep()
  const below = openCachedCounter(join(folder, 'file', 'below'))
  writeFileSync(join(folder, 'file'), '')
  below.count('one')
  below.keep()
  expect(existsSync(join(folder, 'file', 'below'))).toBe(false)
  expect(readdirSync(folder)).toEqual(['file'])
})

test('the file keeps the counts used last', async () => {
  const file = await aFile()
  const first = openCachedCounter(file)
  for (let n = 0; n < 20_100; n += 1) first.count(String(n))
  first.keep()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(20_001)
  const counter = openCachedCounter(file)
  counter.count('one more')
  counter.keep()
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').slice(1, -1)).toEqual(lines.slice(2))
})
