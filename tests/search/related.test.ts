import { expect, test } from 'vitest'
import { withRelated } from '../../src/search/rules-for.ts'

const RELATED = new Map([
  ['a', ['x', 'b', 'y']],
  ['b', ['x', 'z']],
  ['y', ['w']],
])
const related = (found: readonly string[], limit: number) =>
  withRelated(
    found,
    limit,
    (one) => RELATED.get(one) ?? [],
    (one) => one,
  )

test.each<[readonly string[], number, readonly string[]]>([
  [['a', 'b'], 2, ['a', 'b']],
  [['a', 'b'], 3, ['a', 'b', 'x']],
  [['a', 'b'], 9, ['a', 'b', 'x', 'y', 'z']],
  [['a', 'b'], 1, ['a', 'b']],
  [['c'], 9, ['c']],
  [[], 9, []],
])('%j with what goes with them, up to %d, is %j', (found, limit, all) => {
  expect(related(found, limit)).toEqual(all)
})
