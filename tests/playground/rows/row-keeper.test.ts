import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowCache } from '../../../src/playground/rows/row-cache.ts'

interface Listing {
  readonly name: number
}

const ALL: readonly Listing[] = Array.from({ length: 200 }, (_, name) => ({ name }))

const rowOf = ({ name }: Listing) => ({ name })

test('a listing that stays keeps its row, though others came and went before it', () => {
  const keep = rowCache<object, Listing, Listing>()
  const owner = {}
  const before = keep(owner, ALL.slice(0, 10), rowOf)
  const after = keep(owner, [{ name: 300 }, ...ALL.slice(2, 12)], rowOf)
  expect(after[0]).toEqual({ name: 300 })
  expect(after[1]).toBe(before[2])
  expect(after[8]).toBe(before[9])
})

test('another owner has rows of its own', () => {
  const keep = rowCache<object, Listing, Listing>()
  const [row] = keep({}, ALL.slice(0, 1), rowOf)
  expect(keep({}, ALL.slice(0, 1), rowOf)[0]).not.toBe(row)
})

test('whatever was listed before, each listing has the row made of it', () => {
  const lists = fc.array(fc.shuffledSubarray([...ALL]), { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(lists, (listed) => {
      const keep = rowCache<object, Listing, Listing>()
      const owner = {}
      for (const one of listed) expect(keep(owner, one, rowOf)).toEqual(one)
    }),
  )
})
