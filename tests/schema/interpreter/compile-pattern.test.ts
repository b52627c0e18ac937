import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compilePattern } from '../../../src/schema/interpreter/compile-pattern.ts'
import { isComparable, match, randomPattern, randomText } from './random-pattern.ts'

test('a pattern finds what the engine of the runtime finds', () => {
  const verdicts = { true: 0, false: 0 }
  fc.assert(
    fc.property(randomPattern, randomText, (source, input) => {
      fc.pre(isComparable(source, input))
      const expected = new RegExp(source, 'u').test(input)
      verdicts[`${expected}`] += 1
      expect(match(source, input).found).toBe(expected)
    }),
    { numRuns: 2_000 },
  )
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(200)
})

test.each<[string, readonly string[], readonly string[]]>([
  ['^[a-z0-9_-]+$', ['skill_1'], ['../../etc/passwd', '']],
  ['^[a-z]{2,100000}$', ['ab', 'a'.repeat(100_000)], ['a', 'a1', 'a'.repeat(100_001)]],
  ['^(?:.{1,1024})$', ['a', '😀'.repeat(1_024)], ['', 'a'.repeat(1_025)]],
  ['^(?=.*[A-Z])(?=.*\\d).{8,}$', ['Abcdefg1'], ['abcdefg1', 'Abc1']],
  ['^(?!admin$)\\w+$', ['admins', 'a'], ['admin']],
  ['(?<=€)\\d+', ['€5'], ['$5', '€']],
  ['^\\p{Letter}+$', ['Ünï'], ['a1']],
  ['^[\\w\\-\\.]+\\@x\\_y$', ['a-b.c@x_y'], ['a@xy']],
  ['^$', [''], ['a', '\n']],
])('%s', (source, good, bad) => {
  for (const one of good) expect([one, match(source, one).found]).toEqual([one, true])
  for (const one of bad) expect([one, match(source, one).found]).toEqual([one, false])
})

test.each([
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(.*a){10}$',
  '^(?=(a+)+$)',
  '(a*)*b',
  '^(\\w+\\s?)*$',
])('twice the text takes twice the work: %s', (source) => {
  const work = (length: number) => match(source, `${'a'.repeat(length)}!`).work
  expect(work(4_000)).toBeLessThan(2.1 * work(2_000))
})

describe('a pattern that cannot be checked has a reason', () => {
  test.each([
    ['(a)\\1', 'refers back to a group'],
    ['(?<n>a)\\k<n>', 'refers back to a group'],
    ['(', 'is not a regular expression of ECMAScript with the flag "u"'],
    ['\\Aa\\Z', 'is not a regular expression of ECMAScript with the flag "u"'],
    ['^(.{1,1000}){1,1000}$', 'is too large'],
    ['((((((){1000}){1000}){1000}){1000}){1000}){1000}', 'is too large'],
    ['a'.repeat(20_000), 'is too large'],
    [`${'('.repeat(200)}a${')'.repeat(200)}`, 'has too many nested groups'],
  ])('%s', (source, reason) => {
    expect(compilePattern(source)).toEqual({ ok: false, reason })
  })
})

const FORMATS: Readonly<Record<string, z.ZodType>> = {
  base64: z.base64(),
  base64url: z.base64url(),
  cidrv4: z.cidrv4(),
  cidrv6: z.cidrv6(),
  cuid: z.cuid(),
  cuid2: z.cuid2(),
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  duration: z.iso.duration(),
  e164: z.e164(),
  email: z.email(),
  emoji: z.emoji(),
  guid: z.guid(),
  hex: z.hex(),
  hostname: z.hostname(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  jwt: z.jwt(),
  ksuid: z.ksuid(),
  nanoid: z.nanoid(),
  time: z.iso.time(),
  ulid: z.ulid(),
  uuid: z.uuid(),
  xid: z.xid(),
}

test('every pattern that zod writes for a format can be checked', () => {
  const patterns = Object.entries(FORMATS).flatMap(([name, schema]) => {
    const { pattern: source } = z.toJSONSchema(schema)
    return source === undefined ? [] : [[name, source] as const]
  })
  expect(patterns.length).toBeGreaterThan(15)
  for (const [name, source] of patterns) {
    expect([name, compilePattern(source)]).toMatchObject([name, { ok: true }])
    for (const input of [
      'P1DT2H',
      'a.example',
      'a@b.example',
      '😀',
      '2026-11-22',
      '1.2.3.4',
      '::1',
    ]) {
      expect([name, input, match(source, input).found]).toEqual([
        name,
        input,
        new RegExp(source, 'u').test(input),
      ])
    }
  }
})

test('no match begins in the middle of a surrogate pair', () => {
  expect(match('\\B', 'a😀a').found).toBe(false)
  expect(match('\\B', 'a😀😀a').found).toBe(true)
})

test.each(['(?!(.)|$)', '(?!.|$)', '(?=\\ude00)'])(
  'no match of %s begins inside a surrogate pair',
  (pattern) => {
    expect(match(pattern, '😀').found).toBe(false)
  },
)
