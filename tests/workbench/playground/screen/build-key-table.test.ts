import { expect, test } from 'vitest'
import { scopeActions } from '../../../../src/workbench/playground/context/key-table.ts'
import { TABLE } from '../a-playground.ts'

const everyAction = TABLE.scopes.flatMap(({ actions }) => actions)

test('the table was looked at', () => {
  expect(everyAction.length).toBeGreaterThan(40)
})

test.each(TABLE.scopes.map((scope) => [scope.id, scope] as const))(
  'in %s no two actions share a key, and none takes one that holds always',
  (id, { actions }) => {
    const standing =
      id === 'always' ? [] : scopeActions(TABLE, 'always').flatMap(({ keys }) => keys)
    const keys = [...standing, ...actions.flatMap(({ keys }) => keys)]
    expect(keys).toEqual([...new Set(keys)])
  },
)

test('ids are unique, and every action has a title and a key', () => {
  const ids = everyAction.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  const wanting = everyAction.filter(({ title, keys }) => title === '' || keys.length === 0)
  expect(wanting).toEqual([])
})

test('no key of a text field types a letter', () => {
  const fields = ['filter', 'palette', 'lifetime', 'writing']
  const letters = fields
    .flatMap((scope) => scopeActions(TABLE, scope).flatMap(({ keys }) => keys))
    .filter((key) => key.length === 1 || key === 'space')
  expect(letters).toEqual([])
})
