import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fuse,
  liftOver,
  meanSimilarityWithout,
  wordsShare,
} from '../../../src/search/vectors/hybrid-search.ts'

const word = (name: string, score: number) => ({ name, kind: 'tool' as const, score, matched: [] })
const vector = (name: string, far: number) => ({ name, kind: 'tool' as const, lift: far })
const names = (results: readonly { readonly name: string }[]) => results.map(({ name }) => name)

test.each([
  [0, 0],
  [0.4, 0.5],
  [0.8, 1],
  [1, 1],
])('at a confidence of %d words have the part %d', (confidence, part) => {
  expect(wordsShare(confidence, 0.8)).toBeCloseTo(part)
  expect(wordsShare(confidence, 0)).toBe(1)
})

test('at its two ends a fused ranking is that of words, and that of vectors', () => {
  const words = [word('a', 9), word('b', 5), word('c', 1)]
  const vectors = [vector('c', 0.6), vector('b', 0.5), vector('d', 0.2)]
  expect(names(fuse(words, vectors, 1))).toEqual(['a', 'b', 'c'])
  expect(names(fuse(words, vectors, 0))).toEqual(['c', 'b', 'd'])
  expect(names(fuse(words, vectors, 0.5))).toEqual(['b', 'c', 'a', 'd'])
})

test('vectors to which little stands out say little', () => {
  const words = [word('a', 9), word('b', 7)]
  expect(names(fuse(words, [vector('b', 0.05)], 0.5))).toEqual(['a', 'b'])
  expect(names(fuse(words, [vector('b', 0.4)], 0.5))).toEqual(['b', 'a'])
})

test('a tool and a skill of one name are two', () => {
  const skill = { name: 'a', kind: 'skill' as const, lift: 0.5 }
  expect(fuse([word('a', 1)], [skill], 0.5)).toHaveLength(2)
})

test('who is first for both is first', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'toString', '__proto__'), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (all, far, share) => {
        const words = all.map((name, at) => word(name, all.length - at))
        const vectors = all.map((name, at) => vector(name, far / (at + 1)))
        expect(fuse(words, vectors, share)[0]?.name).toBe(all[0])
      },
    ),
  )
})

test.each([
  [0.5, 0.15, 0.412],
  [0.85, 0.75, 0.4],
  [0.75, 0.75, 0],
  [0.2, 0.75, 0],
  [-0.3, -0.5, 0],
  [1, 1, 1],
])('a similarity of %d over a usual one of %d stands out by %d', (similarity, usual, far) => {
  expect(liftOver(similarity, usual)).toBeCloseTo(far, 3)
})

test('a document is not measured by itself', () => {
  expect(meanSimilarityWithout(0.9, 0.5, 2)).toBeCloseTo(0.1)
  expect(meanSimilarityWithout(0.9, 0.9, 1)).toBe(0)
})
