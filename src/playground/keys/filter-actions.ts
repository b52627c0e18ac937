import { changePane } from '../context/change-pane.ts'
import { paneState } from '../context/pane-state.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action } from '../context/action.ts'
import { focusedPane } from '../context/focus.ts'
import type { Pane } from '../context/pane.ts'
import { withoutLastLetter } from '../text/text-field.ts'

/** What keys that type nothing mean while a filter is typed. */
export function filterActions(panes: readonly Pane[]): readonly Action[] {
  const change = (to: (filter: string) => string) => (context: PlaygroundContext) =>
    changeFilter(panes, context, to)
  return [
    {
      id: 'filter.keep',
      title: 'Keep the filter',
      keys: ['enter'],
      run: ({ ui }) => ui.setState({ filtering: false }),
    },
    {
      id: 'filter.clear',
      title: 'Clear the filter',
      keys: ['esc'],
      run(context) {
        changeFilter(panes, context, () => '')
        context.ui.setState({ filtering: false })
      },
    },
    {
      id: 'filter.delete',
      title: 'Delete the last letter',
      keys: ['backspace', 'delete'],
      run: change(withoutLastLetter),
    },
    { id: 'filter.empty', title: 'Begin anew', keys: ['ctrl+u'], run: change(() => '') },
  ]
}

/** Take typed or pasted text into the filter of the pane that has the keys. */
export function typeIntoFilter(
  panes: readonly Pane[],
  context: PlaygroundContext,
  text: string,
): void {
  changeFilter(panes, context, (filter) => filter + text)
}

function changeFilter(
  panes: readonly Pane[],
  context: PlaygroundContext,
  to: (filter: string) => string,
): void {
  const { ui } = context
  const { id, found } = focusedPane(panes, ui.getState())
  const filter = to(paneState(ui.getState(), id).filter)
  ui.setState((state) => changePane(state, id, { filter }))
  const selected = filter === '' ? null : (found?.(context) ?? null)
  if (selected !== null) ui.setState((state) => changePane(state, id, { selected }))
}
