import type { WorkspaceState } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { WAITING } from '../context/show-question.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { currentLayout, showsBothSides } from '../context/screen-layout.ts'
import {
  type Action,
  cycleFocus,
  cycleTab,
  focusedPane,
  focusPane,
  type ScreenPane,
  shownTab,
} from '../context/screen-pane.ts'
import { changePane, type Dialog, paneState, type UiState } from '../context/ui-state.ts'
import { type Move, moveSelection, selectedRow } from '../rows/move-selection.ts'
import { withoutLastLetter } from '../text/text-field.ts'

/** The upper and the lower border of a pane. */
const BORDER_ROWS = 2

/** The actions of every pane. A pane's own actions take precedence. */
export function globalActions(
  panes: readonly ScreenPane[],
  more: readonly Action[] = [],
): readonly Action[] {
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
      verb: 'find',
      keys: ['/'],
      run: ({ ui }) =>
        ui.setState((state) => ({
          ...changePane(state, focusedPane(panes, state).id, { filter: '' }),
          filtering: true,
        })),
    },
    {
      id: 'screen.back',
      title: 'Back: clear filter, show all panes, return to the list, to now, remove marks',
      keys: ['esc'],
      run: ({ ui }) => ui.setState((state) => stepBack(state, panes)),
    },
    {
      id: 'screen.full',
      title: 'Show the pane on all of the screen, or all panes again',
      verb: 'full',
      keys: ['+'],
      run: ({ ui }) => ui.setState(({ isFull }) => ({ isFull: !isFull })),
    },
    {
      id: 'screen.next',
      title: 'Next pane',
      keys: ['tab'],
      run: (context) => moveFocus(panes, context, 1),
    },
    {
      id: 'screen.previous',
      title: 'Previous pane',
      keys: ['shift+tab'],
      run: (context) => moveFocus(panes, context, -1),
    },
    ...panes.map(({ id, title, key }): Action => ({
      id: `screen.${id}`,
      title: `Go to ${title}`,
      keys: id === WAITING ? [key, 'C'] : [key],
      run: ({ ui }) => ui.setState((state) => focusPane(state, panes, id)),
    })),
    {
      id: 'screen.next-tab',
      title: 'Show the next tab',
      keys: [']'],
      run: ({ ui }) => ui.setState((state) => cycleTab(state, panes, 1)),
    },
    {
      id: 'screen.previous-tab',
      title: 'Show the previous tab',
      keys: ['['],
      run: ({ ui }) => ui.setState((state) => cycleTab(state, panes, -1)),
    },
    {
      id: 'screen.palette',
      title: 'All actions',
      verb: 'commands',
      keys: [':'],
      run: (context) => open(context, { kind: 'palette', text: '', selected: 0 }),
    },
    {
      id: 'screen.help',
      title: 'Help',
      verb: 'keys',
      keys: ['?'],
      run: (context) => open(context, { kind: 'help', text: null, scroll: 0 }),
    },
    {
      id: 'screen.quit',
      title: 'Quit',
      verb: 'quit',
      keys: ['q'],
      run: (context) => quit(panes, context),
    },
    ...more,
  ]
}

/**
 * Clears the filter, else shows all panes, else returns from a tab to its list, else leaves an earlier moment, else removes the marks.
 * Never leaves the screen.
 */
function stepBack(state: UiState, panes: readonly ScreenPane[]): UiState {
  const { id, place } = focusedPane(panes, state)
  if (paneState(state, id).filter !== '') return changePane(state, id, { filter: '' })
  if (state.isFull) return { ...state, isFull: false }
  if (place === 'tab') return focusPane(state, panes, state.opened ?? state.list)
  if (state.moment !== null) return { ...state, moment: null }
  return state.marks.length > 0 ? { ...state, marks: [] } : state
}

/** Moves the focus to the next pane; without room for both sides of the screen, to the other side. */
function moveFocus(panes: readonly ScreenPane[], context: PlaygroundContext, by: number): void {
  const { ui } = context
  ui.setState((state) => {
    const areas = currentLayout(context, panes)?.panes ?? []
    const tab = shownTab(panes, state)
    if (state.isFull || showsBothSides(areas) || tab === undefined)
      return cycleFocus(state, panes, by)
    const { place } = focusedPane(panes, state)
    const list = panes.find(({ id }) => id === state.list)
    if (place === 'list') return focusPane(state, panes, tab.id)
    const back = list?.place === 'list' ? list : panes[0]
    return back === undefined ? state : focusPane(state, panes, back.id)
  })
}

function moveCursor(panes: readonly ScreenPane[], context: PlaygroundContext, move: Move): void {
  const state = context.ui.getState()
  const pane = focusedPane(panes, state)
  const rows = pane.rows(context)
  const areas = currentLayout(context, panes)?.panes ?? []
  const height = areas.find((area) => area.pane === pane)?.height ?? 0
  const from = selectedRow(rows, paneState(state, pane.id).selected)
  const selected = moveSelection(rows, from, move, height - BORDER_ROWS)
  if (selected !== null) context.ui.setState((now) => changePane(now, pane.id, { selected }))
}

function quit(panes: readonly ScreenPane[], context: PlaygroundContext): void {
  const state = context.ui.getState()
  if (focusedPane(panes, state).place === 'tab') {
    const to = state.opened ?? state.list
    return context.ui.setState({ ...focusPane(state, panes, to), wentBack: true })
  }
  const why =
    // The questions of a session that is open read-only belong to its host.
    whyNotQuit(state, context.live ? context.workspace().state : NOTHING_OPEN) ??
    (state.wentBack ? 'The last q went back. Nothing is pending.' : null)
  if (why === null) context.exit()
  else open(context, { kind: 'quit', why })
}

const NOTHING_OPEN: Pick<WorkspaceState, 'confirmations'> = { confirmations: [] }

function open({ ui }: PlaygroundContext, dialog: Dialog): void {
  ui.setState({ dialog })
}

/** Describes what is pending and would be lost or left open by leaving; null when nothing is. */
export function whyNotQuit(
  { busy, changes }: Pick<UiState, 'busy' | 'changes'>,
  session: Pick<WorkspaceState, 'confirmations'>,
): string | null {
  const open = session.confirmations.length
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

/** Changes the filter of the focused pane. */

export function changeFilter(
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
