import { expect, test } from 'vitest'
import { didYouMean } from '../../src/kernel/nearest-names.ts'

test.each<{ nearest: readonly string[]; hint: string }>([
  { nearest: [], hint: 'List them.' },
  { nearest: ['alpha'], hint: 'Did you mean "alpha"?' },
  { nearest: ['alpha', 'beta', 'gamma'], hint: 'Did you mean "alpha" or "beta" or "gamma"?' },
])('the nearest of $nearest.length names: $hint', ({ nearest, hint }) => {
  expect(didYouMean(nearest, 'List them.')).toBe(hint)
})
