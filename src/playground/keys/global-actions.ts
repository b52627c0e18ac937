import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
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

/** Upper and lower border of a pane. */
const BORDER_ROWS = 2

/** What keys mean in every pane that gives them no meaning of its own. */
export function globalActions(panes: readonly ScreenPane[]): readonly Action[] {
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

/** What is pending and would be lost or left open by leaving; null when nothing is. */
export function whyNotQuit(
  { busy, changes }: Pick<UiState, 'busy' | 'changes'>,
  { confirmations }: Pick<WorkspaceState, 'confirmations'>,
): string | null {
  const open = confirmations.filter(({ consent }) => consent === 'pending').length
  // What broke waits for its files, not for an answer.
  const waiting = changes.filter(({ what }) => what !== 'broken').length
  const reasons = [
    ...(busy === null ? [] : [`${busy} is under way`]),
    ...(open === 0 ? [] : [`${counted(open, 'confirmation')} not answered`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, 'change')} on disk not taken`]),
  ]
  return reasons.length === 0 ? null : `${reasons.join('; ')}.`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** What its keys mean whatever is open. */
export const alwaysActions: readonly Action[] = [
  {
    id: 'screen.leave',
    title: 'Quit at once, without asking',
    keys: ['ctrl+c'],
    run: (context) => context.exit(),
  },
  {
    id: 'screen.stop',
    title: 'Stop, and go on with "fg"',
    keys: ['ctrl+z'],
    run: (context) => context.stop(),
  },
  {
    id: 'screen.redraw',
    title: 'Draw the screen anew',
    keys: ['ctrl+l'],
    run: (context) => context.redraw(),
  },
]

/** What keys that type nothing mean while a filter is typed. */
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
      title: 'Delete the last letter',
      keys: ['backspace', 'delete'],
      run: change(withoutLastLetter),
    },
    { id: 'filter.empty', title: 'Begin anew', keys: ['ctrl+u'], run: change(() => '') },
  ]
}

/** Take typed or pasted text into the filter of the pane that has the keys. */
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
