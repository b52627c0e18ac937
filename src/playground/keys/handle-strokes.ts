import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action } from '../context/action.ts'
import { focusedPane } from '../context/focus.ts'
import { actionsOf, type KeyTable } from '../context/key-table.ts'
import { typeIntoFilter } from './filter-actions.ts'
import { runAction } from './run-action.ts'
import { typedBy } from './strokes-of.ts'

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
  const typed = typedBy(stroke)
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
  if (typedBy(stroke) !== null) return undefined
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
