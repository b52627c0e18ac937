import { expect, test } from 'vitest'
import { helpGroups } from '../../../src/playground/dialogs/help-groups.ts'
import { keyName } from '../../../src/playground/keys/key-name.ts'
import { actionsOf } from '../../../src/playground/parts/key-table.ts'
import { footerSpans } from '../../../src/playground/screen/footer-spans.ts'
import { entryText, paletteEntries } from '../../../src/playground/dialogs/palette-entries.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const everyAction = TABLE.scopes.flatMap(({ actions }) => actions)

test('the table was looked at', () => {
  expect(everyAction.length).toBeGreaterThan(40)
})

test.each(TABLE.scopes.map((scope) => [scope.id, scope] as const))(
  'in %s no two actions share a key, and none takes one that holds always',
  (id, { actions }) => {
    const standing = id === 'always' ? [] : actionsOf(TABLE, 'always').flatMap(({ keys }) => keys)
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
  const fields = ['filter', 'palette', 'lifetime']
  const letters = fields
    .flatMap((scope) => actionsOf(TABLE, scope).flatMap(({ keys }) => keys))
    .filter((key) => key.length === 1 || key === 'space')
  expect(letters).toEqual([])
})

test('help lists exactly the table, what holds in the focused pane first', () => {
  const groups = helpGroups(TABLE.scopes, 'tools')
  expect(groups[0]?.title).toBe('Tools')
  const listed = groups.flatMap(({ rows }) => rows.map(({ title, keys }) => ({ title, keys })))
  const expected = everyAction.map(({ title, keys }) => ({ title, keys: keys.map(keyName) }))
  const inOrder = (rows: typeof listed) => rows.map((row) => JSON.stringify(row)).sort()
  expect(inOrder(listed)).toEqual(inOrder(expected))
})

test('the palette offers every action of panes and screen, but for moves', async () => {
  const { context } = await aPlayground()
  const offered = paletteEntries(TABLE, context, '').map(({ action }) => action.id)
  const scopes = ['always', 'screen', ...TABLE.panes.map(({ id }) => id)]
  const wanted = scopes
    .flatMap((scope) => actionsOf(TABLE, scope))
    .filter(({ id }) => !id.startsWith('row.'))
    .map(({ id }) => id)
  expect([...offered].sort()).toEqual([...wanted].sort())
})

test('the palette finds actions by words in any order', async () => {
  const { context } = await aPlayground()
  const found = paletteEntries(TABLE, context, 'away equip')
  expect(found.map(({ action, pane }) => entryText(action, pane))).toEqual([
    'Skills: Equip or put away',
    'Skills: Equip, and put away what conflicts with it',
  ])
})

test('the palette puts words that begin with what was typed first', async () => {
  const { context } = await aPlayground()
  const [first, second] = paletteEntries(TABLE, context, 'qui').map(({ action }) => action.id)
  expect([first, second]).toEqual(['screen.quit', 'screen.leave'])
})

test.each([
  ['palette', true],
  ['lifetime', true],
  ['call', true],
  ['details', false],
] as const)(
  'the last line says that Esc closes %s: %s, since letters type there',
  async (kind, is) => {
    const { context } = await aPlayground()
    const shown = {
      palette: { kind: 'palette', text: '', selected: 0 },
      lifetime: { kind: 'lifetime', skill: 'music', text: '' },
      call: { kind: 'call', tool: 'query_table', text: '{}', cursor: 1, problem: '' },
      details: { kind: 'details', title: 'music', lines: [], scroll: 0 },
    } as const
    context.ui.setState({ dialog: shown[kind] })
    const text = footerSpans(context, TABLE).map((span) => span.text)
    expect(text.join('').includes('Esc Close')).toBe(is)
  },
)

test.each([
  ['j', 'j'],
  ['+', '+'],
  ['G', 'G'],
  ['space', 'Space'],
  ['pagedown', 'PgDn'],
  ['ctrl+c', 'Ctrl-C'],
  ['shift+tab', 'Shift-Tab'],
])('%s is shown as %s', (stroke, name) => {
  expect(keyName(stroke)).toBe(name)
})
