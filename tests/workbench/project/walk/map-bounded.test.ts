import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapBounded } from '../../../../src/workbench/project/walk/map-bounded.ts'

test('results keep their order and no more than the limit are under way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 4 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      async (turns, limit) => {
        let running = 0
        let most = 0
        const results = await mapBounded(turns, limit, async (turn) => {
          running += 1
          most = Math.max(most, running)
          for (let wait = 0; wait < turn; wait += 1) await Promise.resolve()
          running -= 1
          return turn
        })
        expect(results).toEqual(turns)
        expect(most).toBeLessThanOrEqual(limit)
      },
    ),
  )
})
