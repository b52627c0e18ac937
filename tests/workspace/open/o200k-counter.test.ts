import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hostileTexts } from '../../../bench/hostile-texts.ts'
import { o200kCounter } from '../../../src/workspace/open/o200k-counter.ts'

const { count, isUpperBound } = await o200kCounter()
const isBound = (text: string) => isUpperBound?.(text) === true

/** The count of the tokenizer itself. */
const exact = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

const ALPHABETS = {
  letters: 'etaoinshr',
  'rare letters': 'qzxjkvwy',
  'two letters': 'ab',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  punctuation: '!@#$%^&*()-=_+[]{};:"|,.<>/?',
  blanks: ' \t\n\u00A0\u3000',
  ideographs: '漢字写一个计划龘靐',
  emoji: '😀🙂🧑🚀🏴',
  marks: 'e\u0301\u0302\u200D',
  thai: 'การทดสอบภาษาไทย',
  mixed: "aB é9'/ \n!漢😀s\u0301",
} as const

const piecesOf = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength, size: 'max' })

test.each(Object.entries(ALPHABETS))('%s up to 256 long are counted exactly', (_, alphabet) => {
  fc.assert(
    fc.property(piecesOf(alphabet, 0, 128), (text) => {
      expect(isBound(text)).toBe(false)
      expect(count(text)).toBe(exact(text))
    }),
  )
})

test('any short text is counted exactly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      expect(count(text)).toBe(exact(text))
    }),
  )
})

test.each(['README.md', 'docs/formats.md', 'tests/corpus/antfu+skills/skills/vue/SKILL.md'])(
  'a document is counted exactly: %s',
  async (path) => {
    const text = await readFile(path, 'utf8')
    expect(isBound(text)).toBe(false)
    expect(count(text)).toBe(exact(text))
  },
)

test.each([...hostileTexts(256)])('256 characters of %s are counted exactly', (_, text) => {
  expect(isBound(text.slice(0, 256))).toBe(false)
  expect(count(text.slice(0, 256))).toBe(exact(text.slice(0, 256)))
})

test.each(Object.entries(ALPHABETS))('a count of many %s is never too low', (_, alphabet) => {
  fc.assert(
    fc.property(piecesOf(alphabet, 257, 1_000), (text) => {
      const counted = count(text)
      expect(counted).toBeGreaterThanOrEqual(exact(text))
      if (!isBound(text)) expect(counted).toBe(exact(text))
    }),
    { numRuns: 30 },
  )
})

test('one run of 257 letters is marked as an upper bound, 256 are not, whatever is around it', () => {
  expect(isBound(`One ${'a'.repeat(255)} two`)).toBe(false)
  expect(isBound(`One ${'a'.repeat(256)} two`)).toBe(true)
  expect(isBound('word '.repeat(1_000))).toBe(false)
})

test.each([...hostileTexts(1_000_000)])('a million characters of %s are counted', (_, text) => {
  expect(count(text)).toBeLessThanOrEqual(4 * text.length)
})

test('marks of special tokens are text', () => {
  expect(count('<|endoftext|>')).toBe(exact('<|endoftext|>'))
  expect(count('<|endoftext|>')).toBeGreaterThan(1)
})
