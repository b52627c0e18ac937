import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBlockPool } from '../../../src/search/index/create-block-pool.ts'

const change = fc.record({
  list: fc.nat(7),
  value: fc.nat(60),
  kind: fc.constantFrom('insert', 'insert', 'insert', 'remove', 'clear', 'reserve'),
})

test('lists contain their numbers in order, whatever other lists do', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
      const pool = createBlockPool()
      const model = Array.from({ length: 8 }, (): number[] => [])
      for (const { list, value, kind } of changes) {
        const expected = model[list] ?? []
        const at = expected.indexOf(value)
        if (kind === 'clear') {
          pool.clear(list)
          model[list] = []
        } else if (kind === 'reserve' && expected.length === 0) {
          pool.reserve(list, value)
        } else if (kind === 'insert' && at < 0) {
          pool.insert(list, value)
          model[list] = [...expected, value].sort((a, b) => a - b)
        } else if (kind === 'remove' && at >= 0) {
          pool.removeAt(list, pool.lowerBound(list, value))
          model[list] = expected.filter((one) => one !== value)
        }
      }
      const held = model.map((_, list) => {
        const start = pool.start(list)
        return [...pool.data.subarray(start, start + pool.length(list))]
      })
      expect(held).toEqual(model)
    }),
  )
})

test('freed room is reused', () => {
  const pool = createBlockPool()
  for (let round = 0; round < 200; round += 1) {
    for (let value = 0; value < 1_000; value += 1) pool.push(round, value)
    pool.clear(round)
  }
  expect(pool.data.length).toBeLessThan(10_000)
})
