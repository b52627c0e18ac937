import { changePane } from '../context/change-pane.ts'
import type { Dialog } from '../context/dialog.ts'
import { paneState } from '../context/pane-state.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { UiState } from '../context/ui-state.ts'
import type { Action } from '../context/action.ts'
import { cycleFocus, focusedPane, focusPane } from '../context/focus.ts'
import { layoutOf } from '../context/layout.ts'
import type { Pane } from '../context/pane.ts'
import { moveSelection, selectedRow, type Move } from '../rows/move-selection.ts'
import { whyNotQuit } from './why-not-quit.ts'

/** Upper and lower border of a pane. */
const BORDER_ROWS = 2

/** What keys mean in every pane that gives them no meaning of its own. */
export function globalActions(panes: readonly Pane[]): readonly Action[] {
  const moves = (move: Move) => (context: PlaygroundContext) => moveCursor(panes, context, move)
  return [
    { id: 'row.up', title: 'Row above', keys: ['k', 'up'], run: moves('up') },
    { id: 'row.down', title: 'Row below', keys: ['j', 'down'], run: moves('down') },
    { id: 'row.page-up', title: 'Page above', keys: ['pageup'], run: moves('page-up') },
    { id: 'row.page-down', title: 'Page below', keys: ['pagedown'], run: moves('page-down') },
    { id: 'row.first', title: 'First row', keys: ['g', 'home'], run: moves('first') },
    { id: 'row.last', title: 'Last row', keys: ['G', 'end'], run: moves('last') },
    {
      id: 'screen.filter',
      title: 'Filter the rows',
      keys: ['/'],
      run: ({ ui }) => ui.setState({ filtering: true }),
    },
    {
      id: 'screen.back',
      title: 'Back: clear the filter, leave an earlier moment, drop marks',
      keys: ['esc'],
      run: ({ ui }) => ui.setState((state) => stepBack(state, focusedPane(panes, state).id)),
    },
    {
      id: 'screen.next',
      title: 'Next pane',
      keys: ['tab'],
      run: ({ ui }) => ui.setState((state) => cycleFocus(state, panes, 1)),
    },
    {
      id: 'screen.previous',
      title: 'Previous pane',
      keys: ['shift+tab'],
      run: ({ ui }) => ui.setState((state) => cycleFocus(state, panes, -1)),
    },
    ...panes.slice(0, 9).map(({ id, title }, index): Action => ({
      id: `screen.pane-${index + 1}`,
      title: `Go to ${title}`,
      keys: [String(index + 1)],
      run: ({ ui }) => ui.setState((state) => focusPane(state, id)),
    })),
    {
      id: 'screen.palette',
      title: 'All actions',
      keys: [':'],
      run: (context) => open(context, { kind: 'palette', text: '', selected: 0 }),
    },
    {
      id: 'screen.help',
      title: 'Help',
      keys: ['?'],
      run: (context) => open(context, { kind: 'help', scroll: 0 }),
    },
    { id: 'screen.quit', title: 'Quit', keys: ['q'], run: quit },
  ]
}

/** One step back, of what there is: a filter, an earlier moment, marks. Never out of the screen. */
function stepBack(state: UiState, pane: string): UiState {
  if (paneState(state, pane).filter !== '') return changePane(state, pane, { filter: '' })
  if (state.moment !== null) return { ...state, moment: null }
  return state.marks.length > 0 ? { ...state, marks: [] } : state
}

function moveCursor(panes: readonly Pane[], context: PlaygroundContext, move: Move): void {
  const state = context.ui.getState()
  const pane = focusedPane(panes, state)
  const rows = pane.rows(context)
  const height = layoutOf(state.size, panes.length, panes.indexOf(pane))?.body.height ?? 0
  const from = selectedRow(rows, paneState(state, pane.id).selected)
  const selected = moveSelection(rows, from, move, height - BORDER_ROWS)
  if (selected !== null) context.ui.setState((now) => changePane(now, pane.id, { selected }))
}

function quit(context: PlaygroundContext): void {
  const why = whyNotQuit(context.ui.getState(), context.workspace().state)
  if (why === null) context.exit()
  else open(context, { kind: 'quit', why })
}

function open({ ui }: PlaygroundContext, dialog: Dialog): void {
  ui.setState({ dialog })
}
