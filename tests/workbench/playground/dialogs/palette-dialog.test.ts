import { expect, test } from 'vitest'
import {
  entryText,
  paletteEntries,
} from '../../../../src/workbench/playground/dialogs/palette-dialog.tsx'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { scopeActions } from '../../../../src/workbench/playground/context/key-table.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

test('the palette offers every action of panes and screen, except cursor movements', async () => {
  const { context } = await aPlayground()
  const offered = paletteEntries(TABLE, context, '').map(({ action }) => action?.id)
  const scopes = ['always', 'screen', ...TABLE.panes.map(({ id }) => id)]
  const wanted = scopes
    .flatMap((scope) => scopeActions(TABLE, scope))
    .filter(({ id }) => !id.startsWith('row.'))
    .map(({ id }) => id)
  expect([...offered].sort()).toEqual([...wanted].sort())
})

test('the palette finds actions by words in any order', async () => {
  const { context } = await aPlayground()
  const found = paletteEntries(TABLE, context, 'deact act')
  expect(found.map(entryText)).toEqual([
    'Skills: Activate or deactivate',
    'Skills: Activate, and deactivate conflicting skills',
  ])
})

test('the palette puts words that begin with what was typed first', async () => {
  const { context } = await aPlayground()
  const [first, second] = paletteEntries(TABLE, context, 'qui').map(({ action }) => action?.id)
  expect([first, second]).toEqual(['screen.quit', 'screen.leave'])
})

test('the palette finds skills and tools, also by letters in order, and goes to them', async () => {
  const { context } = await aPlayground()
  expect(paletteEntries(TABLE, context, 'query_t').map(entryText)).toEqual(['Tools: query_table'])
  expect(paletteEntries(TABLE, context, 'dtanl').map(entryText)).toContain('Skills: data-analysis')
  await handleStrokes([...':write_rep', 'enter'], context, TABLE)
  expect(context.ui.getState()).toMatchObject({
    focus: 'tools',
    dialog: null,
    panes: { tools: { selected: 'write_report', filter: '' } },
  })
})

test('letters inside of a word find no action, and the palette says that no row matches either', async () => {
  const { context } = await aPlayground()
  // "List by name, below the skills that require them" has them.
  expect(paletteEntries(TABLE, context, 'elow')).toEqual([])
  expect(paletteEntries(TABLE, context, 'below')).not.toEqual([])
})
