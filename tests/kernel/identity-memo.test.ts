import { expect, test } from 'vitest'
import { identityMemo } from '../../src/kernel/identity-memo.ts'

test('a value is made once for the same objects and text, in this order', () => {
  const kept = identityMemo<number>()
  let made = 0
  const make = () => (made += 1)
  const [a, b] = [{}, {}]
  expect(kept([a, b], 'x', make)).toBe(1)
  expect(kept([a, b], 'x', make)).toBe(1)
  expect(kept([a, b], 'y', make)).toBe(2)
  expect(kept([b, a], 'x', make)).toBe(3)
  expect(kept([a], 'x', make)).toBe(4)
  expect(kept([a, b], '__proto__', make)).toBe(5)
})

test('that nothing is there is kept too', () => {
  const kept = identityMemo<null>()
  const key = {}
  kept([key], '', () => null)
  expect(
    kept([key], '', () => {
      throw new Error('It was made twice.')
    }),
  ).toBeNull()
})

test('of texts that never come again only the latest are kept', () => {
  const kept = identityMemo<string>()
  const key = {}
  for (let second = 0; second < 100; second += 1) kept([key], `${second}`, () => 'first')
  expect(kept([key], '99', () => 'again')).toBe('first')
  expect(kept([key], '0', () => 'again')).toBe('again')
})
