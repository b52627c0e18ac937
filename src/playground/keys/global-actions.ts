import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { openConfirmations, showConfirmation } from '../context/open-confirmations.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { screenLayout } from '../context/screen-layout.ts'
import {
  type Action,
  cycleFocus,
  focusedPane,
  focusPane,
  type ScreenPane,
} from '../context/screen-pane.ts'
import { changePane, type Dialog, paneState, type UiState } from '../context/ui-state.ts'
import { type Move, moveSelection, selectedRow } from '../rows/move-selection.ts'
import { withoutLastLetter } from '../text/text-field.ts'
import { counted } from '../../render/ink/parts/format-count.ts'

/** The upper and the lower border of a pane. */
const BORDER_ROWS = 2

/** The actions of every pane. A pane's own actions take precedence. */
export function globalActions(panes: readonly ScreenPane[]): readonly Action[] {
  const moves = (move: Move) => (context: PlaygroundContext) => moveCursor(panes, context, move)
  return [
    { id: 'row.up', title: 'Previous row', keys: ['k', 'up'], run: moves('up') },
    { id: 'row.down', title: 'Next row', keys: ['j', 'down'], run: moves('down') },
    { id: 'row.page-up', title: 'Previous page', keys: ['pageup'], run: moves('page-up') },
    { id: 'row.page-down', title: 'Next page', keys: ['pagedown'], run: moves('page-down') },
    { id: 'row.first', title: 'First row', keys: ['g', 'home'], run: moves('first') },
    { id: 'row.last', title: 'Last row', keys: ['G', 'end'], run: moves('last') },
    {
      id: 'screen.filter',
      title: 'Filter',
      keys: ['/'],
      run: ({ ui }) => ui.setState({ filtering: true }),
    },
    {
      id: 'screen.back',
      title: 'Back: clear filter, return to now, remove marks',
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
    {
      id: 'screen.confirmation',
      title: 'Answer a confirmation',
      keys: ['C'],
      run: showConfirmation,
    },
    { id: 'screen.quit', title: 'Quit', keys: ['q'], run: quit },
  ]
}

/** Clears the filter, else leaves an earlier moment, else removes the marks. Never leaves the screen. */
function stepBack(state: UiState, pane: string): UiState {
  if (paneState(state, pane).filter !== '') return changePane(state, pane, { filter: '' })
  if (state.moment !== null) return { ...state, moment: null }
  return state.marks.length > 0 ? { ...state, marks: [] } : state
}

function moveCursor(panes: readonly ScreenPane[], context: PlaygroundContext, move: Move): void {
  const state = context.ui.getState()
  const pane = focusedPane(panes, state)
  const rows = pane.rows(context)
  const height = screenLayout(state.size, panes.length, panes.indexOf(pane))?.body.height ?? 0
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

/** Describes what is pending and would be lost or left open by leaving; null when nothing is. */
export function whyNotQuit(
  { busy, changes }: Pick<UiState, 'busy' | 'changes'>,
  session: Pick<WorkspaceState, 'confirmations'>,
): string | null {
  const open = openConfirmations(session).length
  // Broken skills wait for their files, not for an answer.
  const waiting = changes.filter(({ what }) => what !== 'broken').length
  const reasons = [
    ...(busy === null ? [] : [busy]),
    ...(open === 0 ? [] : [`${counted(open, 'confirmation')} not answered`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, 'change')} on disk not accepted`]),
  ]
  return reasons.length === 0 ? null : `Pending: ${reasons.join('; ')}.`
}

/** The actions that apply everywhere, also in dialogs and while a filter is typed. */
export const alwaysActions: readonly Action[] = [
  {
    id: 'screen.leave',
    title: 'Quit without asking',
    keys: ['ctrl+c'],
    run: (context) => context.exit(),
  },
  {
    id: 'screen.stop',
    title: 'Suspend ("fg" continues)',
    keys: ['ctrl+z'],
    run: (context) => context.stop(),
  },
  {
    id: 'screen.redraw',
    title: 'Redraw the screen',
    keys: ['ctrl+l'],
    run: (context) => context.redraw(),
  },
]

/** The actions of keys that type nothing, while a filter is typed. */
export function filterActions(panes: readonly ScreenPane[]): readonly Action[] {
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
      title: 'Delete the last character',
      keys: ['backspace', 'delete'],
      run: change(withoutLastLetter),
    },
    { id: 'filter.empty', title: 'Delete all text', keys: ['ctrl+u'], run: change(() => '') },
  ]
}

/** Appends typed or pasted text to the filter of the focused pane. */
export function typeIntoFilter(
  panes: readonly ScreenPane[],
  context: PlaygroundContext,
  text: string,
): void {
  changeFilter(panes, context, (filter) => filter + text)
}

function changeFilter(
  panes: readonly ScreenPane[],
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
