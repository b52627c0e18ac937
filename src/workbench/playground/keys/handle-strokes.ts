import { WorkspaceError } from '../../../entries/index.ts'
import { DEFAULT_THEME, type RowHits, tabPlaces } from '../../../entries/ink-views.ts'
import { sanitiseLine, sanitiseText, thrownMessage } from '../../../entries/kit.ts'
import { isTyping, scopeActions, type KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type PaneArea, currentLayout } from '../context/screen-layout.ts'
import {
  type Action,
  focusedPane,
  focusPane,
  paneTitle,
  type ScreenPane,
} from '../context/screen-pane.ts'
import { changePane, note, refusal, type UiStore } from '../context/ui-state.ts'
import { typedText } from './key-name.ts'
import { insertLines } from '../text/insert-lines.ts'
import type { MouseEvent } from '../terminal/terminal-input.ts'
import { changeFilter } from './global-actions.ts'

/**
 * Handles key strokes one after the other. Actions that apply everywhere come first, then those of the
 * open dialog, of the typed filter, or of the focused pane and the screen. Other strokes do nothing.
 * Resolves when the actions have ended; callers need not wait.
 */
export async function handleStrokes(
  strokes: readonly string[],
  context: PlaygroundContext,
  table: KeyTable,
): Promise<void> {
  await Promise.all(strokes.map((stroke) => handleStroke(stroke, context, table)))
}

/** Handles pasted text: it goes into a text field, never to key handlers. Control characters are shown. */
export function handlePaste(text: string, context: PlaygroundContext, table: KeyTable): void {
  const isMessage = context.ui.getState().dialog === null && context.ui.getState().writing !== null
  const pasted = isMessage ? sanitiseText(text.replaceAll(/\r\n?/g, '\n')) : sanitiseLine(text)
  if (pasted !== '') typeText(pasted, context, table)
}

function handleStroke(
  stroke: string,
  context: PlaygroundContext,
  table: KeyTable,
): Promise<void> | void {
  const { ui } = context
  if (ui.getState().banner !== null) ui.setState({ banner: null })
  if (stroke !== 'q' && ui.getState().wentBack) ui.setState({ wentBack: false })
  const action = meaning(stroke, context, table)
  if (action !== undefined) return runAction(action, context)
  const typed = typedText(stroke)
  if (typed !== null && typeText(typed, context, table)) return
  if (ui.getState().dialog === null) return
  if (stroke === 'esc') ui.setState({ dialog: null })
  if (stroke === 'q') ui.setState({ dialog: null, wentBack: true })
}

/** Finds the action of a stroke. In a text field, keys that type a letter have none. */
function meaning(stroke: string, context: PlaygroundContext, table: KeyTable): Action | undefined {
  const state = context.ui.getState()
  const find = (scope: string) =>
    scopeActions(table, scope).find(
      ({ keys, when }) => keys.includes(stroke) && (when?.(context) ?? true),
    )
  const everywhere = find('always')
  if (everywhere !== undefined) return everywhere
  if (state.dialog !== null) {
    const { kind } = state.dialog
    const isSearch = table.dialogs.get(kind)?.isTyping?.(state.dialog) === true
    return isSearch && typedText(stroke) !== null ? undefined : find(kind)
  }
  if (state.writing !== null) return find('writing')
  if (!state.filtering) return find(focusedPane(table.panes, state).id) ?? find('screen')
  if (typedText(stroke) !== null) return undefined
  return find('filter') ?? find(focusedPane(table.panes, state).id) ?? find('screen')
}

/** Passes text to the current text field. Returns false when there is none. */
function typeText(text: string, context: PlaygroundContext, table: KeyTable): boolean {
  const { dialog, filtering, writing } = context.ui.getState()
  if (dialog !== null) {
    if (!isTyping(table, dialog)) return false
    table.dialogs.get(dialog.kind)?.type?.(context, text)
    return true
  }
  if (writing !== null) {
    context.ui.setState({ writing: insertLines(writing, text) })
    return true
  }
  if (filtering) changeFilter(table.panes, context, (filter) => filter + text)
  return filtering
}

/** The number of actions in progress, by the store of their screen. */
const running = new WeakMap<UiStore, number>()

/**
 * Runs an action. Its error becomes a banner and never ends the screen; while it runs, the screen shows
 * that it is in progress. Resolves when it has ended.
 */
export async function runAction(
  { title, run }: Pick<Action, 'title' | 'run'>,
  context: PlaygroundContext,
): Promise<void> {
  const { ui } = context
  try {
    const ending = run(context)
    if (ending === undefined) return
    running.set(ui, (running.get(ui) ?? 0) + 1)
    if (ui.getState().busy === null) ui.setState({ busy: title })
    await ending.finally(() => {
      const left = (running.get(ui) ?? 1) - 1
      running.set(ui, left)
      if (left === 0) ui.setState({ busy: null })
    })
  } catch (error) {
    const banner = WorkspaceError.is(error) ? refusal(error) : note('failed', thrownMessage(error))
    ui.setState({ banner })
  }
}

/** Rows for one notch of the wheel. */
const NOTCH = 3

/** Begins what a click on a key of the footer hits; the stroke follows. */
export const KEY_HIT = 'key '

/** The last click of each screen on a row. */
const clicks = new WeakMap<UiStore, { readonly row: string; readonly at: number }>()

/** The most milliseconds between the two clicks that open a row. */
const DOUBLE_MS = 500

/**
 * Handles the mouse. The wheel scrolls what is under it, and moves neither cursor nor focus. A click focuses a
 * pane, or the pane whose title is clicked, and selects the row under it; another one opens it. A click on a key of the
 * footer presses it, and one outside of a dialog closes that.
 */
export function handleMouse(
  event: MouseEvent,
  context: PlaygroundContext,
  table: KeyTable,
  hits: RowHits,
): void {
  const { ui } = context
  const { dialog, size } = ui.getState()
  const areas = currentLayout(context, table.panes)?.panes ?? []
  const area =
    dialog === null
      ? areas.find(
          ({ left, top, width, height }) =>
            event.column >= left &&
            event.column < left + width &&
            event.row >= top &&
            event.row < top + height,
        )
      : undefined
  if (event.type !== 'click') {
    const by = event.type === 'wheel-up' ? -NOTCH : NOTCH
    const { left, top, width, height } = area ?? { left: 0, top: 0, width: 0, height: 0 }
    // The lists of a dialog are the only ones that can be hit while it is open.
    if (dialog !== null)
      hits.scroll({ column: 0, row: 0, width: size.columns, height: size.rows }, by)
    else hits.scroll({ column: left, row: top, width, height }, by)
    return
  }
  // Before the focus changes: that may move the panes.
  const row = hits.rowAt(event)
  const press = (stroke: string) => void handleStrokes([stroke], context, table)
  if (row?.startsWith(KEY_HIT) === true && event.row === size.rows - 1)
    return press(row.slice(KEY_HIT.length))
  if (dialog !== null && row === null) return press('esc')
  if (area === undefined) return
  const { pane } = area
  const named = event.row === area.top ? paneNamed(event, area) : pane
  ui.setState((state) => focusPane(state, table.panes, named.id))
  if (row !== null && pane.rows(context).includes(row)) {
    ui.setState((state) => changePane(state, pane.id, { selected: row }))
    const last = clicks.get(ui)
    const click = { row: `${pane.id} ${row}`, at: Date.now() }
    const isDouble = last?.row === click.row && click.at - last.at <= DOUBLE_MS
    if (isDouble) clicks.delete(ui)
    else clicks.set(ui, click)
    if (isDouble) press('enter')
  }
}

/** Returns the pane whose title in the border of a frame is under the mouse; else the one in the frame. */
function paneNamed({ column }: MouseEvent, { named, pane, left, width }: PaneArea): ScreenPane {
  const places = tabPlaces(named.map(paneTitle), named.indexOf(pane), width, DEFAULT_THEME)
  const place = places.findIndex(({ from, to }) => column - left >= from && column - left < to)
  return places.length === named.length ? (named[place] ?? pane) : pane
}
