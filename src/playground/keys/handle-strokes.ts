import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { actionsOf, type KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type PaneArea, screenLayout } from '../context/screen-layout.ts'
import { type Action, focusedPane, focusPane } from '../context/screen-pane.ts'
import { changePane, note, type UiStore } from '../context/ui-state.ts'
import { typeIntoFilter } from './global-actions.ts'
import { typedText } from './key-name.ts'
import type { MouseEvent } from '../terminal/terminal-input.ts'
import type { RowHits } from '../../render/ink/parts/row-hits.ts'

/**
 * Do what strokes mean, one after the other: what holds always, then the dialog that is open, or
 * the filter that is typed, or the pane that has the keys and the screen. A stroke that means
 * nothing does nothing. Resolves when the actions have ended; nobody needs to wait for it.
 */
export async function handleStrokes(
  strokes: readonly string[],
  context: PlaygroundContext,
  table: KeyTable,
): Promise<void> {
  await Promise.all(strokes.map((stroke) => handleStroke(stroke, context, table)))
}

/** Take pasted text: into a text field, never as keys. Control characters become visible. */
export function handlePaste(text: string, context: PlaygroundContext, table: KeyTable): void {
  const line = sanitiseLine(text)
  if (line !== '') typeText(line, context, table)
}

function handleStroke(
  stroke: string,
  context: PlaygroundContext,
  table: KeyTable,
): Promise<void> | void {
  const { ui } = context
  if (ui.getState().banner !== null) ui.setState({ banner: null })
  const action = meaning(stroke, context, table)
  if (action !== undefined) return runAction(action, context)
  const typed = typedText(stroke)
  if (typed !== null && typeText(typed, context, table)) return
  if (stroke === 'esc' && ui.getState().dialog !== null) ui.setState({ dialog: null })
}

/** The action a stroke means now. In a text field, what types a letter types it. */
function meaning(stroke: string, context: PlaygroundContext, table: KeyTable): Action | undefined {
  const state = context.ui.getState()
  const find = (scope: string) =>
    actionsOf(table, scope).find(
      ({ keys, when }) => keys.includes(stroke) && (when?.(context) ?? true),
    )
  const standing = find('always')
  if (standing !== undefined) return standing
  if (state.dialog !== null) return find(state.dialog.kind)
  if (!state.filtering) return find(focusedPane(table.panes, state).id) ?? find('screen')
  if (typedText(stroke) !== null) return undefined
  return find('filter') ?? find(focusedPane(table.panes, state).id) ?? find('screen')
}

/** Whether there was a text field to take it. */
function typeText(text: string, context: PlaygroundContext, table: KeyTable): boolean {
  const { dialog, filtering } = context.ui.getState()
  if (dialog !== null) {
    const field = table.dialogs.get(dialog.kind)
    field?.type?.(context, text)
    return field?.type !== undefined
  }
  if (filtering) typeIntoFilter(table.panes, context, text)
  return filtering
}

/** Actions that are under way, by the store of their screen. */
const running = new WeakMap<UiStore, number>()

/**
 * Run an action. What it throws or rejects with becomes a banner, never the end of the screen;
 * while it takes its time, the screen says what is under way. Resolves when it has ended.
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
    showError(error, ui)
  }
}

function showError(error: unknown, ui: UiStore): void {
  const message = error instanceof Error ? error.message : String(error)
  const hint = WorkspaceError.is(error) ? error.hint : ''
  const text = [message, hint].filter((one) => one !== '').join(' ')
  ui.setState({
    banner: note('refused', text),
  })
}

/** Rows one notch of the wheel moves. */
const NOTCH = 3

/**
 * Do what the mouse means: the wheel is the keys up and down in the pane under it or the open
 * dialog, a click gives a pane the keys and takes the row under it.
 */
export function handleMouse(
  event: MouseEvent,
  context: PlaygroundContext,
  table: KeyTable,
  hits: RowHits,
): void {
  const { ui } = context
  const hit = ui.getState().dialog === null ? paneUnder(event, context, table) : undefined
  const pane = hit === undefined ? undefined : table.panes[hit.index]
  if (ui.getState().dialog === null && pane === undefined) return
  // Asked before the keys go elsewhere: that may move the panes.
  const row = event.type === 'click' ? hits.rowAt(event) : null
  if (pane !== undefined) ui.setState((state) => focusPane(state, pane.id))
  if (event.type !== 'click') {
    const stroke = event.type === 'wheel-up' ? 'up' : 'down'
    void handleStrokes(
      Array.from({ length: NOTCH }, () => stroke),
      context,
      table,
    )
  } else if (pane !== undefined && row !== null && pane.rows(context).includes(row)) {
    ui.setState((state) => changePane(state, pane.id, { selected: row }))
  }
}

function paneUnder(
  { column, row }: MouseEvent,
  { ui }: PlaygroundContext,
  { panes }: KeyTable,
): PaneArea | undefined {
  const state = ui.getState()
  const layout = screenLayout(state.size, panes.length, panes.indexOf(focusedPane(panes, state)))
  return layout?.panes.find(
    ({ left, top, width, height }) =>
      column >= left && column < left + width && row >= top && row < top + height,
  )
}
