import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCount } from '../../../../src/render/ink/parts/format-count.ts'

test('a count reads as English writes it', () => {
  const english = new Intl.NumberFormat('en-US')
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -2_000, max: 2_000 })), (count) => {
      expect(formatCount(count)).toBe(english.format(count))
    }),
  )
})
