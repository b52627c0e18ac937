import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { paneState, type UiState } from '../../../../src/workbench/playground/context/ui-state.ts'
import {
  handleMouse,
  handlePaste,
  handleStrokes,
} from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import type { MouseEvent } from '../../../../src/workbench/playground/terminal/terminal-input.ts'
import { createRowHits, RowHitsContext } from '../../../../src/render/ink/parts/row-hits.ts'
import { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { DEFAULT_THEME } from '../../../../src/render/ink/parts/theme.ts'
import { aPlayground, TABLE } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'

describe('handle strokes', () => {
  async function aScreen(...parts: Parameters<typeof aPlayground>) {
    const playground = await aPlayground(...parts)
    const { context } = playground
    return {
      ...playground,
      ui: () => context.ui.getState(),
      press: (...strokes: string[]) => handleStrokes(strokes, context, TABLE),
      paste: (text: string) => handlePaste(text, context, TABLE),
      active: () => playground.workspace.skillManager.getActiveSkills().map(({ name }) => name),
    }
  }

  test('space activates the skill under the cursor, and deactivates it again', async () => {
    const { press, active, ui } = await aScreen()
    await press('space')
    expect(active()).toEqual(['data-analysis'])
    expect(ui().banner).toMatchObject({
      tone: 'done',
      text: 'data-analysis activated',
      difference: { added: ['query_table', 'list_tables'], removed: [] },
      request: { kept: { kept: 0, minimum: 1024, previous: 147 } },
    })
    await press('space')
    expect(active()).toEqual([])
    expect(ui().banner?.text).toBe('data-analysis deactivated')
  })

  test('keys that arrive joined mean the state each of them finds', async () => {
    const { press, active, ui } = await aScreen()
    await press('space', 'space', 'space', 'j', 'space')
    expect(active()).toEqual(['data-analysis', 'music'])
    expect(ui().busy).toBeNull()
  })

  test('a refusal is shown with its hint', async () => {
    const { press, ui } = await aScreen()
    await press('G', 'space', 'g', 'space')
    expect(ui().banner).toMatchObject({ tone: 'refused', difference: null })
    expect(ui().banner?.text).toContain('reporting')
    await press('j', 'R')
    expect(ui().banner).toMatchObject({ tone: 'done', text: 'music activated' })
  })

  test('the report of the last change is removed by the next key', async () => {
    const { press, ui } = await aScreen()
    await press('space')
    expect(ui().banner).not.toBeNull()
    await press('j')
    expect(ui().banner).toBeNull()
  })

  test('a filter takes letters that mean something else outside of it', async () => {
    const { press, ui } = await aScreen()
    await press('/', 'q', 'space', '?', 'backspace', 'backspace', 'backspace', 'm')
    expect(paneState(ui(), 'skills').filter).toBe('m')
    expect(ui()).toMatchObject({ filtering: true, dialog: null })
    await press('enter')
    expect(ui().filtering).toBe(false)
    expect(paneState(ui(), 'skills').filter).toBe('m')
  })

  test('escape goes back one step at a time and never leaves', async () => {
    const { context, press, ui, asked } = await aScreen()
    context.ui.setState({ marks: [0] })
    await press('/', 'm', 'enter', '?')
    const steps: Partial<UiState>[] = []
    for (let step = 0; step < 4; step += 1) {
      await press('esc')
      const { dialog, marks } = ui()
      steps.push({ dialog, marks })
    }
    expect(paneState(ui(), 'skills').filter).toBe('')
    expect(steps).toEqual([
      { dialog: null, marks: [0] },
      { dialog: null, marks: [0] },
      { dialog: null, marks: [] },
      { dialog: null, marks: [] },
    ])
    expect(asked.exits).toBe(0)
  })

  test('q leaves when nothing is pending, and asks when something is', async () => {
    const { press, ui, asked, context } = await aScreen()
    await press('q')
    expect(asked.exits).toBe(1)
    context.ui.setState({ changes: [{ skill: 'music', what: 'changed', text: 'another' }] })
    await press('q')
    expect(asked.exits).toBe(1)
    expect(ui().dialog).toEqual({ kind: 'quit', why: 'Pending: 1 change on disk not accepted.' })
    await press('n')
    expect(ui().dialog).toBeNull()
    await press('q', 'y')
    expect(asked.exits).toBe(2)
  })

  test.each([
    ['help', '?'],
    ['palette', ':'],
    ['filter', '/'],
    ['lifetime', 'L'],
  ])('ctrl+c leaves at once from the %s', async (_where, key) => {
    const { press, asked } = await aScreen()
    await press(key, 'ctrl+c')
    expect(asked.exits).toBe(1)
  })

  test('the palette does what is chosen, in the pane it belongs to', async () => {
    const { press, ui } = await aScreen()
    await press(':', ...'group by', 'enter')
    expect(ui()).toMatchObject({ dialog: null, focus: 'tools' })
    expect(paneState(ui(), 'tools').mode).toBe('by-status')
  })

  test('a palette entry that takes long is completed, too', async () => {
    const { press, active } = await aScreen()
    await press(':', 'a', 'c', 't', 'i', 'v', 'space', 'o', 'r', 'enter')
    expect(active()).toEqual(['data-analysis'])
  })

  test('a lifetime is a number of uses', async () => {
    const { press, workspace, ui } = await aScreen()
    await press('L', 'x', 'enter')
    expect(ui().dialog).toMatchObject({ kind: 'lifetime', text: 'x' })
    await press('backspace', '2', 'enter')
    expect(workspace.state.open.find(({ owner }) => owner === 'data-analysis')?.usesLeft).toBe(2)
  })

  test('pasted text goes into text fields and is never taken for keys', async () => {
    const { press, paste, ui, active } = await aScreen()
    paste(' q\r')
    expect(active()).toEqual([])
    await press('/')
    paste('mu\x1b[31m\nsic')
    expect(paneState(ui(), 'skills').filter).toBe('mu<U+001B>[31m sic')
  })

  test.each([
    { error: new TypeError('x is undefined'), banner: { tone: 'failed', text: 'x is undefined' } },
    { error: new Error('the disk is gone'), banner: { tone: 'failed', text: 'the disk is gone' } },
    {
      error: new WorkspaceError('FILE_WRITE_FAILED', 'The disk is full.'),
      banner: { tone: 'refused', text: 'The disk is full.' },
    },
  ])('of an action, $error is shown as $banner.tone, and the screen stays open', async (thrown) => {
    const accept = () => Promise.reject(thrown.error)
    const { context, press, ui } = await aScreen(undefined, { accept })
    context.ui.setState({ changes: [{ skill: 'music', what: 'changed', text: 'another' }] })
    await press('A')
    expect(ui()).toMatchObject({ busy: null, banner: thrown.banner })
    await press('j')
    expect(paneState(ui(), 'skills').selected).toBe('music')
  })

  test('nothing is changed in a read-only session, and the reason is shown', async () => {
    const { press, active, ui } = await aScreen(undefined, { live: false })
    await press('space')
    expect(active()).toEqual([])
    expect(ui().banner).toMatchObject({ tone: 'note' })
  })

  test('nothing is changed from an earlier moment', async () => {
    const { context, press, active, ui } = await aScreen()
    await press('space')
    context.ui.setState({ moment: 0 })
    await context.look(0)
    await press('space')
    expect(active()).toEqual(['data-analysis'])
    expect(ui().banner?.text).toContain('Press Esc to return to now')
    await press('esc', 'space')
    expect(active()).toEqual([])
  })

  test("stop and redraw are the terminal's", async () => {
    const { press, asked } = await aScreen()
    await press('ctrl+z', 'ctrl+l')
    expect(asked).toEqual({ exits: 0, redraws: 1, stops: 1, copies: [] })
  })
})

describe('handle mouse', () => {
  /** A wide screen, and a mouse on it. */
  async function aMouse(rows = 24) {
    const { context } = await aPlayground()
    const hits = createRowHits()
    const screen = createElement(Screen, { context, table: TABLE, theme: DEFAULT_THEME })
    const real = await realScreen(createElement(RowHitsContext, { value: hits }, screen), 120, rows)
    /** Uses the mouse at the current position of a text. */
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

  test('a click focuses a pane and selects the row under it', async () => {
    const { context, at, selected } = await aMouse()
    await at('click', 'reporting')
    expect(selected('skills')).toBe('reporting')
    await at('click', 'loadSkillFile')
    expect(context.ui.getState().focus).toBe('tools')
    expect(selected('tools')).toContain('loadSkillFile')
  })

  test('a click outside the rows moves the focus and leaves the cursor', async () => {
    const { context, at, selected } = await aMouse()
    await at('click', '2 Tools')
    expect(context.ui.getState().focus).toBe('tools')
    expect(selected('tools')).toBeNull()
  })

  test('a click on the title of a tab shows it', async () => {
    const { context, at, screen } = await aMouse()
    await at('click', '9 Ledger')
    expect(context.ui.getState().focus).toBe('ledger')
    expect(screen()).toContain('[9 Ledger]')
    await at('click', '6 Why')
    expect(screen()).toContain('[6 Why]')
  })

  test('the wheel scrolls what is under it, and neither cursor nor focus moves', async () => {
    const { context, at, screen, press } = await aMouse()
    await press('2')
    const before = context.ui.getState()
    const title = 'SKILL TOOLS: Data Analysis'
    await press('5jz')
    await press('2')
    const rows = () => screen().split('\n')
    const drawn = rows()
    await at('wheel-down', 'boxed')
    expect(rows().some((row, index) => row !== drawn[index])).toBe(true)
    // Everything left of the tab is as it was.
    expect(rows().map((row) => row.slice(0, 40))).toEqual(drawn.map((row) => row.slice(0, 40)))
    await at('wheel-up', 'boxed')
    expect(rows()).toEqual(drawn)
    expect(context.ui.getState().focus).toBe('tools')
    expect(before.focus).toBe('tools')
    expect(title).not.toBe('')
  })

  test('the cursor takes a list back that the wheel scrolled away', async () => {
    const { at, screen, press } = await aMouse(20)
    await press('2')
    expect(screen()).toMatch(/❯ ▾ loadout/v)
    await at('wheel-down', 'loadSkillFile')
    expect(screen()).not.toMatch(/❯ ▾ loadout/v)
    await press('j')
    expect(screen()).toMatch(/❯ ● loadSkill /v)
  })

  test('a click in a dialog leaves it open, and one outside closes it', async () => {
    const { context, at, press, selected } = await aMouse()
    await press('L')
    await at('click', 'Lifetime:')
    expect(context.ui.getState().dialog?.kind).toBe('lifetime')
    await at('click', 'music')
    expect(context.ui.getState().dialog).toBeNull()
    expect(selected('skills')).toBeNull()
  })

  test('a second click on a row opens it, one on another row does not', async () => {
    const { context, at } = await aMouse()
    await at('click', 'reporting')
    await at('click', 'music')
    expect(context.ui.getState().focus).toBe('skills')
    await at('click', 'music')
    expect(context.ui.getState().focus).toBe('why')
  })

  test('a click on a key of the last line presses it', async () => {
    const { context, at } = await aMouse()
    await at('click', '? keys')
    expect(context.ui.getState().dialog?.kind).toBe('help')
    await at('click', 'Find a key')
    expect(context.ui.getState().dialog).toMatchObject({ kind: 'help', text: '' })
    await at('click', 'All keys')
    expect(context.ui.getState().dialog).toMatchObject({ kind: 'help', text: null })
  })
})
