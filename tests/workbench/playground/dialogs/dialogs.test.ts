import { expect, test } from 'vitest'
import { helpGroups, typedLifetime } from '../../../../src/workbench/playground/dialogs/dialogs.tsx'
import { keyName } from '../../../../src/workbench/playground/keys/key-name.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const everyAction = TABLE.scopes.flatMap(({ actions }) => actions)

test('help lists exactly the table, starting with the focused pane', () => {
  const groups = helpGroups(TABLE.scopes, 'tools')
  expect(groups[0]?.title).toBe('Tools')
  const listed = groups.flatMap(({ rows }) => rows.map(({ title, keys }) => ({ title, keys })))
  const expected = everyAction.map(({ title, keys }) => ({ title, keys: keys.map(keyName) }))
  const inOrder = (rows: typeof listed) => rows.map((row) => JSON.stringify(row)).sort()
  expect(inOrder(listed)).toEqual(inOrder(expected))
})

test.each([
  ['', 'session'],
  [' Session ', 'session'],
  ['1', { uses: 1 }],
  [' 12 ', { uses: 12 }],
  ['3 turns', { turns: 3 }],
  ['idle 2 turns', { idle: 2 }],
  ['once', { uses: 1 }],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['many', null],
  ['9999999999999999999999', null],
])('%j is the lifetime %j', (text, lifetime) => {
  expect(typedLifetime(text)).toEqual(lifetime)
})

test('a filter of the help finds keys by their words, their pane and their name', () => {
  const found = (filter: string) =>
    helpGroups(TABLE.scopes, 'tools', filter).map(({ title, rows }) => [title, rows.length])
  expect(found('editor tools')).toEqual([['Tools', 1]])
  expect(found('ctrl-l')).toEqual([['Always', 1]])
  expect(found('no such key')).toEqual([])
})

test('in the help, / takes letters for a filter, Esc shows all keys again, and then closes', async () => {
  const { context } = await aPlayground()
  const dialog = () => context.ui.getState().dialog
  await handleStrokes(['?', 'j', '/', ...'jq'], context, TABLE)
  expect(dialog()).toMatchObject({ kind: 'help', text: 'jq' })
  await handleStrokes(['backspace', 'esc'], context, TABLE)
  expect(dialog()).toMatchObject({ kind: 'help', text: null })
  await handleStrokes(['esc'], context, TABLE)
  expect(dialog()).toBeNull()
})
