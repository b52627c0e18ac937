import { Box } from 'ink'
import { fitText, glyphsOf, Line, WindowedList } from '../../../entries/ink-views.ts'
import { displayWidth } from '../../../entries/kit.ts'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import { scopeActions, type DialogKind, type KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type Action, focusedPane, focusPane, type ScreenPane } from '../context/screen-pane.ts'
import { changePane } from '../context/ui-state.ts'
import { hasLettersInOrder } from '../rows/row-filter.ts'
import { runAction } from '../keys/handle-strokes.ts'
import { keyNames } from '../keys/key-name.ts'
import { withoutLastLetter } from '../text/text-field.ts'

/** Lists every action, skill and tool: typing filters, Enter runs the selected action or goes to the row. */
export function paletteDialog(table: () => KeyTable): DialogKind<'palette'> {
  const move = (by: number) => (context: PlaygroundContext) =>
    changeDialog(context, 'palette', ({ text, selected }) => {
      const last = paletteEntries(table(), context, text).length - 1
      return { selected: Math.max(0, Math.min(selected + by, last)) }
    })
  const write = (context: PlaygroundContext, to: (text: string) => string) =>
    changeDialog(context, 'palette', ({ text }) => ({ text: to(text), selected: 0 }))
  return {
    kind: 'palette',
    title: () => 'Run an action, or go to a row',
    type: (context, typed) => write(context, (text) => text + typed),
    actions: [
      {
        id: 'palette.run',
        title: 'Run it',
        keys: ['enter'],
        run(context) {
          const dialog = currentDialog(context, 'palette')
          const entry = paletteEntries(table(), context, dialog?.text ?? '')[dialog?.selected ?? 0]
          closeDialog(context)
          if (entry === undefined) return
          const { action, pane } = entry
          if (pane !== null && action === null) {
            return context.ui.setState((state) => {
              const shown = { filter: '', selected: entry.row, toggled: [] }
              return changePane(focusPane(state, table().panes, pane.id), pane.id, shown)
            })
          }
          if (action === null) return
          if (pane !== null)
            context.ui.setState((state) => focusPane(state, table().panes, pane.id))
          return runAction(action, context)
        },
      },
      { id: 'palette.up', title: 'Previous action', keys: ['up'], run: move(-1) },
      { id: 'palette.down', title: 'Next action', keys: ['down', 'tab'], run: move(1) },
      {
        id: 'palette.delete',
        title: 'Delete the last character',
        keys: ['backspace', 'delete'],
        run: (context) => write(context, withoutLastLetter),
      },
      {
        id: 'palette.empty',
        title: 'Delete all text',
        keys: ['ctrl+u'],
        run: (context) => write(context, () => ''),
      },
    ],
    View({ dialog, context, width, height, theme }) {
      const rows = paletteEntries(table(), context, dialog.text).map((entry) => ({
        id: entry.action?.id ?? entryText(entry),
        text: entryText(entry),
        keys: keyNames(entry.action?.keys ?? []),
      }))
      const { cursor } = glyphsOf(theme)
      return (
        <Box flexDirection="column" flexShrink={0}>
          <Line theme={theme} width={width} spans={[{ text: `: ${dialog.text}_` }]} />
          {rows.length === 0 && (
            <Line theme={theme} width={width} spans={[{ text: 'No action and no row matches.' }]} />
          )}
          <WindowedList
            rows={rows}
            selected={rows[dialog.selected]?.id ?? null}
            width={width}
            height={rows.length === 0 ? 0 : height - 1}
            theme={theme}
            renderRow={({ text, keys }, isSelected) => (
              <Line
                theme={theme}
                width={width}
                spans={[
                  { text: isSelected ? `${cursor} ` : '  ', tone: 'accent' },
                  {
                    text: fitText(text, Math.max(0, width - displayWidth(keys) - 3), theme),
                    bold: isSelected,
                  },
                  { text: ` ${keys}`, dim: true },
                ]}
              />
            )}
          />
        </Box>
      )
    },
  }
}

/** A line of the palette. */
type PaletteEntry =
  /** An action, and the pane it belongs to, which gets the focus first; null for an action of the screen. */
  | { readonly action: Action; readonly pane: ScreenPane | null; readonly row?: never }
  /** A row of a list, such as a skill or a tool. */
  | { readonly action: null; readonly pane: ScreenPane; readonly row: string }

/** The most skills and tools that are listed. */
const MOST_ROWS = 50

/** Cursor movements are not listed: the palette has a cursor of its own. */
const LEFT_OUT = /^row\./u

/**
 * Returns the actions of the panes and the screen that have words which start with the typed ones, and the skills and tools
 * whose names contain them; among equals the focused pane comes first. If nothing does, skills and tools match that have the
 * typed letters in order.
 */
export function paletteEntries(
  table: KeyTable,
  context: PlaygroundContext,
  text: string,
): readonly PaletteEntry[] {
  const focused = focusedPane(table.panes, context.ui.getState())
  const others = table.panes.filter((pane) => pane !== focused)
  const ofPane = (pane: ScreenPane) =>
    pane.actions.map((action): PaletteEntry => ({ action, pane }))
  const ofScreen = ['screen', 'always'].flatMap((scope) =>
    scopeActions(table, scope).map((action): PaletteEntry => ({ action, pane: null })),
  )
  const typed = text.toLowerCase().trim()
  const words = typed.split(' ')
  const actions = [...ofPane(focused), ...ofScreen, ...others.flatMap(ofPane)].filter(
    ({ action, pane }) =>
      action !== null &&
      !LEFT_OUT.test(action.id) &&
      (pane !== focused || (action.when?.(context) ?? true)),
  )
  const things =
    typed === ''
      ? []
      : table.panes.flatMap((pane) =>
          (pane.names?.(context) ?? []).map((row): PaletteEntry => ({ action: null, pane, row })),
        )
  const startsWords = (one: string) => words.every((word) => ` ${one}`.includes(` ${word}`))
  const find = (matches: (text: string) => boolean) => {
    const all = actions.filter((entry) => startsWords(entryText(entry).toLowerCase()))
    const rows: PaletteEntry[] = []
    for (const entry of things) {
      if (rows.length < MOST_ROWS && matches(entryText(entry).toLowerCase())) rows.push(entry)
    }
    return [...all, ...rows]
  }
  const exact = find((one) => words.every((word) => one.includes(word)))
  const found = exact.length > 0 ? exact : find((one) => hasLettersInOrder(one, typed))
  const begins = (entry: PaletteEntry) => startsWords(entryText(entry).toLowerCase())
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))]
}

/** Describes an entry: `Skills: Activate or deactivate`, `Tools: query_table`. */
export function entryText({ action, pane, row }: PaletteEntry): string {
  const text = action === null ? row : action.title
  return pane === null ? text : `${pane.title}: ${text}`
}
