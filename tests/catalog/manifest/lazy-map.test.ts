import { expect, test } from 'vitest'
import { LazyMap } from '../../../src/catalog/manifest/lazy-map.ts'

function squares() {
  const made: number[] = []
  const map = new LazyMap<number, string, number>(
    () => new Map([2, 3, 4].map((key) => [key, `of ${key}`])),
    (_, key) => (made.push(key), key * key),
  )
  return { made, map }
}

test('a value is made when it is first asked for, and once', () => {
  const { made, map } = squares()
  expect([map.get(3), map.get(3), map.get(9), map.has(2), map.has(9)]).toEqual([
    9,
    9,
    undefined,
    true,
    false,
  ])
  expect(made).toEqual([3])
})

test('iterating gives all in the order of the index', () => {
  const { made, map } = squares()
  map.get(4)
  expect([[...map], [...map.keys()], [...map.values()], map.size]).toEqual([
    [
      [2, 4],
      [3, 9],
      [4, 16],
    ],
    [2, 3, 4],
    [4, 9, 16],
    3,
  ])
  const told: unknown[] = []
  map.forEach((value, key, all) => told.push([value, key, all === map]))
  expect(told).toEqual([
    [4, 2, true],
    [9, 3, true],
    [16, 4, true],
  ])
  expect(made).toEqual([4, 2, 3])
})

test('a value that was made elsewhere is found without the index, and wins', () => {
  let indexed = false
  const map = new LazyMap<string, null, string>(
    () => ((indexed = true), new Map([['a', null]])),
    () => 'made here',
  )
  map.keep('a', 'made there')
  map.keep('a', 'too late')
  expect([map.get('a'), indexed]).toEqual(['made there', false])
  expect([...map]).toEqual([['a', 'made there']])
})
