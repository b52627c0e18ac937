import { createElement } from 'react'
import { expect, test } from 'vitest'
import { Screen } from '../../../src/playground/screen/screen.tsx'
import { handleMouse } from '../../../src/playground/keys/handle-strokes.ts'
import type { MouseEvent } from '../../../src/playground/terminal/terminal-input.ts'
import { createRowHits, RowHitsContext } from '../../../src/render/ink/parts/row-hits.ts'
import { DEFAULT_THEME } from '../../../src/render/ink/parts/theme.ts'
import { aPlayground, TABLE } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'

/** A screen of three panes, and a mouse on it. */
async function aMouse() {
  const { context } = await aPlayground()
  const hits = createRowHits()
  const screen = createElement(Screen, { context, table: TABLE, theme: DEFAULT_THEME })
  const real = await realScreen(createElement(RowHitsContext, { value: hits }, screen), 120, 24)
  /** Point at the place where the text stands now. */
  const at = async (type: MouseEvent['type'], text: string) => {
    const lines = real.screen().split('\n')
    const row = lines.findIndex((line) => line.includes(text))
    const column = lines[row]?.indexOf(text) ?? -1
    expect(row).toBeGreaterThan(0)
    handleMouse({ type, column, row }, context, TABLE, hits)
    await real.press('')
  }
  const selected = (pane: string) => context.ui.getState().panes[pane]?.selected ?? null
  return { ...real, context, at, selected }
}

test('a click gives a pane the keys and takes the row under it', async () => {
  const { context, at, selected } = await aMouse()
  await at('click', 'reporting')
  expect(selected('skills')).toBe('reporting')
  await at('click', 'loadSkillFile')
  expect(context.ui.getState().focus).toBe('tools')
  expect(selected('tools')).toContain('loadSkillFile')
})

test('a click beside the rows gives the keys and leaves the cursor', async () => {
  const { context, at, selected } = await aMouse()
  await at('click', '2 Tools')
  expect(context.ui.getState().focus).toBe('tools')
  expect(selected('tools')).toBeNull()
})

test('the wheel moves the cursor of the pane under it', async () => {
  const { context, at, selected } = await aMouse()
  await at('wheel-down', 'music')
  expect(selected('skills')).toBe(TABLE.panes[0]?.rows(context).at(-1))
  await at('wheel-up', 'music')
  expect(selected('skills')).toBe(TABLE.panes[0]?.rows(context)[0])
})

test('over a dialog a click does nothing', async () => {
  const { context, at, press, selected } = await aMouse()
  await press('?')
  await at('click', 'reporting').catch(() => {})
  handleMouse({ type: 'click', column: 3, row: 4 }, context, TABLE, createRowHits())
  expect(context.ui.getState().dialog?.kind).toBe('help')
  expect(selected('skills')).toBeNull()
})
