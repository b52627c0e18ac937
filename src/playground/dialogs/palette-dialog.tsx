import { Box } from 'ink'
import { displayWidth } from '../../kernel/display-width.ts'
import { fitText } from '../../render/ink/parts/fit-text.ts'
import { glyphsOf } from '../../render/ink/parts/glyphs.ts'
import { Line } from '../../render/ink/parts/line.tsx'
import { WindowedList } from '../../render/ink/parts/windowed-list.tsx'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { keyNames } from '../keys/key-name.ts'
import { runAction } from '../keys/run-action.ts'
import type { DialogKind } from '../context/dialog-kind.ts'
import { focusPane } from '../context/focus.ts'
import type { KeyTable } from '../context/key-table.ts'
import { withoutLastLetter } from '../text/text-field.ts'
import { entryText, paletteEntries } from './palette-entries.ts'

/** Every action by its words: typing filters, enter does it. */
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
    title: () => 'Do what?',
    type: (context, typed) => write(context, (text) => text + typed),
    actions: [
      {
        id: 'palette.run',
        title: 'Do it',
        keys: ['enter'],
        run(context) {
          const dialog = currentDialog(context, 'palette')
          const entry = paletteEntries(table(), context, dialog?.text ?? '')[dialog?.selected ?? 0]
          closeDialog(context)
          if (entry === undefined) return
          const { action, pane } = entry
          if (pane !== null) context.ui.setState((state) => focusPane(state, pane.id))
          return runAction(action, context)
        },
      },
      { id: 'palette.up', title: 'Entry above', keys: ['up'], run: move(-1) },
      { id: 'palette.down', title: 'Entry below', keys: ['down', 'tab'], run: move(1) },
      {
        id: 'palette.delete',
        title: 'Delete the last letter',
        keys: ['backspace', 'delete'],
        run: (context) => write(context, withoutLastLetter),
      },
      {
        id: 'palette.empty',
        title: 'Begin anew',
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
          <WindowedList
            rows={rows}
            selected={rows[dialog.selected]?.id ?? null}
            width={width}
            height={height - 1}
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
