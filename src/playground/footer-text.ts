import { keyName } from './key-name.ts'
import { actionsOf, type KeyTable } from './key-table.ts'
import type { PlaygroundContext } from './playground-context.ts'
import { focusedPane } from './focus.ts'

/** What the last line of the screen says: what is under way, then what keys mean now. */
export function footerText(context: PlaygroundContext, table: KeyTable): string {
  const state = context.ui.getState()
  const pane = focusedPane(table.panes, state)
  const busy = state.busy === null ? [] : [`... ${state.busy}`]
  const scope = state.dialog?.kind ?? (state.filtering ? 'filter' : pane.id)
  const keys = actionsOf(table, scope)
    .filter(({ when }) => when?.(context) ?? true)
    .map(({ keys: [first = ''], title }) => `${keyName(first)} ${title}`)
  const rest = state.dialog === null && !state.filtering ? ['? Help', ': Palette', 'q Quit'] : []
  return [...busy, ...rest, ...keys].join('  ')
}

/** What is typed into the filter, for the line of the banner; null while none is typed. */
export function filterText(
  { ui }: Pick<PlaygroundContext, 'ui'>,
  { panes }: KeyTable,
): string | null {
  const state = ui.getState()
  if (!state.filtering) return null
  const { id, title } = focusedPane(panes, state)
  return `Filter ${title}: ${state.panes[id]?.filter ?? ''}_`
}
