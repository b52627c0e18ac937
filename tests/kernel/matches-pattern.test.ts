import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesPattern } from '../../src/kernel/matches-pattern.ts'

test.each([
  ['search', 'search', true],
  ['search', 'Search', false],
  ['search', 'search-kb', false],
  ['*', '', true],
  ['*', '__proto__', true],
  ['', '', true],
  ['', 'a', false],
  ['search-*', 'search-', true],
  ['search-*', 'search-kb', true],
  ['*-kb', 'search-kb', true],
  ['*-kb', 'kb', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['**', 'x', true],
  ['a.c', 'abc', false],
  ['[a-z]*', 'x', false],
  ['owner/*', 'owner/tool', true],
])('%j on %j: %j', (pattern, name, matches) => {
  expect(matchesPattern(pattern, name)).toBe(matches)
})

test('a pattern made by putting stars into a name matches that name', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(20), fc.nat(20), (name, a, b) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)]
      expect(matchesPattern(`${name.slice(0, start)}*${name.slice(end)}`, name)).toBe(true)
    }),
  )
})

test('a pattern of a hundred stars is fast on a long name that almost matches', () => {
  expect(matchesPattern(`${'a*'.repeat(100)}b`, 'a'.repeat(100_000))).toBe(false)
})
