import { expect, test } from 'vitest'
import { dependencyOrder, pathTo } from '../../../src/skills/activation/dependency-order.ts'

function walk(roots: readonly string[], needs: Readonly<Record<string, readonly string[]>>) {
  const graph = new Map(Object.entries(needs))
  return dependencyOrder(roots, (name) => graph.get(name))
}

test('each name comes once, after all it needs', () => {
  const { order, reachedFrom } = walk(['a'], { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })
  expect(order).toEqual(['d', 'b', 'c', 'a'])
  expect([...reachedFrom]).toEqual([
    ['a', null],
    ['b', 'a'],
    ['d', 'b'],
    ['c', 'a'],
  ])
})

test('names that do not exist are reported with each name that needs them', () => {
  const { order, missing } = walk(['a', 'ghost'], { a: ['b', 'gone'], b: ['gone'] })
  expect(order).toEqual(['b', 'a'])
  expect(missing).toEqual([
    { from: 'b', to: 'gone' },
    { from: 'a', to: 'gone' },
  ])
})

test.each([
  [{ a: ['a'] }, [{ from: 'a', to: 'a' }]],
  [{ a: ['b'], b: ['c'], c: ['b'] }, [{ from: 'c', to: 'b' }]],
  [
    { a: ['b', 'c'], b: ['a'], c: ['a'] },
    [
      { from: 'b', to: 'a' },
      { from: 'c', to: 'a' },
    ],
  ],
])('circles are reported and the walk ends: %j', (needs, circular) => {
  const found = walk(['a'], needs)
  expect(found.circular).toEqual(circular)
  expect(found.order.toSorted()).toEqual(Object.keys(needs))
})

test('the path to a name starts at its root', () => {
  const found = walk(['a'], { a: ['b'], b: ['c'], c: [] })
  expect(pathTo('c', found)).toEqual(['a', 'b', 'c'])
  expect(pathTo('a', found)).toEqual(['a'])
})

test('a chain of 100,000 needs no call stack', () => {
  const { order } = dependencyOrder(['0'], (name) =>
    Number(name) < 100_000 ? [String(Number(name) + 1)] : [],
  )
  expect(order).toHaveLength(100_001)
})
