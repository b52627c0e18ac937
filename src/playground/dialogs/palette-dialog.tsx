import { Box } from 'ink'
import { displayWidth } from '../../kernel/display-width.ts'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import { actionsOf, type DialogKind, type KeyTable } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type Action, focusedPane, focusPane, type ScreenPane } from '../context/screen-pane.ts'
import { runAction } from '../keys/handle-strokes.ts'
import { keyNames } from '../keys/key-name.ts'
import { withoutLastLetter } from '../text/text-field.ts'
import { fitText } from '../../render/ink/parts/fit-text.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { glyphsOf } from '../../render/ink/parts/theme.ts'
import { WindowedList } from '../../render/ink/parts/windowed-rows.tsx'

/** Lists every action: typing filters, Enter runs the selected one. */
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
    title: () => 'Run an action',
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
      const rows = paletteEntries(table(), context, dialog.text).map(({ action, pane }) => ({
        id: action.id,
        text: entryText(action, pane),
        keys: keyNames(action.keys),
      }))
      const { cursor } = glyphsOf(theme)
      return (
        <Box flexDirection="column" flexShrink={0}>
          <Line theme={theme} width={width} spans={[{ text: `: ${dialog.text}_` }]} />
          {rows.length === 0 && (
            <Line theme={theme} width={width} spans={[{ text: 'No action matches.' }]} />
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

/** An action of the palette. */
interface PaletteEntry {
  readonly action: Action
  /** The pane it belongs to, which gets the focus first; null for an action of the screen. */
  readonly pane: ScreenPane | null
}

/** Cursor movements are not listed: the palette has a cursor of its own. */
const LEFT_OUT = /^row\./u

/**
 * Returns the actions of the panes and the screen that contain every typed word. Actions with words
 * that start with the typed ones come first; among equals the focused pane comes first.
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

/** Describes an entry: `Skills: Activate or deactivate`. */
export function entryText({ title }: Action, pane: ScreenPane | null): string {
  return pane === null ? title : `${pane.title}: ${title}`
}
