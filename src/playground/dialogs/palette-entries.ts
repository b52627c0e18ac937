import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action } from '../context/action.ts'
import { focusedPane } from '../context/focus.ts'
import { actionsOf, type KeyTable } from '../context/key-table.ts'
import type { Pane } from '../context/pane.ts'

/** An action of the palette. */
export interface PaletteEntry {
  readonly action: Action
  /** The pane it belongs to, which gets the keys first; null for one of the screen. */
  readonly pane: Pane | null
}

/** Moves make no sense from a palette, which has a cursor of its own. */
const LEFT_OUT = /^row\./u

/**
 * Every action of the panes and the screen whose words hold what was typed: those with words that
 * begin with it first, then the nearest pane.
 */
export function paletteEntries(
  table: KeyTable,
  context: PlaygroundContext,
  text: string,
): readonly PaletteEntry[] {
  const focused = focusedPane(table.panes, context.ui.getState())
  const others = table.panes.filter((pane) => pane !== focused)
  const ofPane = (pane: Pane) => pane.actions.map((action): PaletteEntry => ({ action, pane }))
  const ofScreen = ['screen', 'always'].flatMap((scope) =>
    actionsOf(table, scope).map((action): PaletteEntry => ({ action, pane: null })),
  )
  const words = text
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '')
  const found = [...ofPane(focused), ...ofScreen, ...others.flatMap(ofPane)].filter(
    ({ action, pane }) =>
      !LEFT_OUT.test(action.id) &&
      (pane !== focused || (action.when?.(context) ?? true)) &&
      words.every((word) => entryText(action, pane).toLowerCase().includes(word)),
  )
  const begins = ({ action, pane }: PaletteEntry) => {
    const text = ` ${entryText(action, pane).toLowerCase()}`
    return words.every((word) => text.includes(` ${word}`))
  }
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))]
}

/** An entry in words: `Skills: Equip or put away`. */
export function entryText({ title }: Action, pane: Pane | null): string {
  return pane === null ? title : `${pane.title}: ${title}`
}
