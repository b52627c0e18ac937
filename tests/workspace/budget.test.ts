import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budget } from '../../src/workspace/commands/budget.ts'

test('what is over a budget is refused in words, and is not counted', () => {
  const budget = new Budget('answer')
  expect(budget.take(700_000)).toBeNull()
  expect(budget.take(100_000)).toBe('over 732.4 kB of an answer')
  expect(budget.take(50_000)).toBeNull()
  expect(budget.waitMs(1)).toBe(Infinity)
})

test('a budget of a time is counted from 0 again when the time is over', () => {
  let now = 0
  const budget = new Budget('entries', () => now)
  expect(budget.take(1_400_000)).toBeNull()
  now = 20_000
  expect(budget.take(200_000)).toBe('over 1.4 MB of entries in the log in a minute')
  expect(budget.waitMs(200_000)).toBe(40_000)
  expect(budget.waitMs(2_000_000)).toBe(Infinity)
  now = 60_000
  expect(budget.waitMs(200_000)).toBe(0)
  expect(budget.take(200_000)).toBeNull()
})

test('in no minute more than twice the budget is taken, and what waitMs says is taken then', () => {
  const acts = fc.array(fc.record({ ms: fc.nat(30_000), bytes: fc.nat(1_200_000) }))
  fc.assert(
    fc.property(acts, (all) => {
      let now = 0
      const budget = new Budget('listChanges', () => now)
      const taken: { readonly at: number; readonly bytes: number }[] = []
      for (const { ms, bytes } of all) {
        now += ms
        const wait = budget.waitMs(bytes)
        const over = budget.take(bytes)
        expect(over === null).toBe(wait === 0)
        if (over === null) taken.push({ at: now, bytes })
        else if (wait < Infinity) {
          now += wait
          expect(budget.take(bytes)).toBeNull()
          taken.push({ at: now, bytes })
        }
      }
      for (const { at: from } of taken) {
        const within = taken.filter(({ at }) => at >= from && at < from + 60_000)
        const sum = within.reduce((total, { bytes }) => total + bytes, 0)
        expect(sum).toBeLessThanOrEqual(2 * 1_048_576)
      }
    }),
  )
})
