import { Box, useInput, usePaste, useWindowSize } from 'ink'
import { type ReactElement, useRef, useState } from 'react'
import { cursorSpan, Line, Pane, type Theme, WindowedList } from '../../entries/ink-views.ts'
import { sanitiseLine } from '../../entries/kit.ts'
import { readStrokes, typedText } from './keys/key-name.ts'
import { type Move, moveSelection, selectedRow } from './rows/move-selection.ts'
import { hasLettersInOrder, matchesFilter } from './rows/row-filter.ts'
import { holdTerminal, type TerminalOptions } from './terminal/hold-terminal.tsx'
import { withoutLastLetter } from './text/text-field.ts'

/** A row to choose. */
export interface PickerRow {
  readonly id: string
  readonly text: string
}

export interface PickerProps {
  readonly title: string
  /** The names of the columns, above the rows. */
  readonly head: string
  readonly rows: readonly PickerRow[]
  readonly theme: Theme
  /** Called once, with the id of the chosen row; null when the person leaves. */
  onChosen(id: string | null): void
}

/** Lets a person choose a row on a terminal. Resolves with its id, and null when the person leaves. */
export async function openPicker(
  request: Omit<PickerProps, 'onChosen'> &
    Pick<TerminalOptions, 'stdin' | 'stdout' | 'stderr' | 'env'>,
): Promise<string | null> {
  let chosen: string | null = null
  const terminal = holdTerminal({
    ...request,
    inline: false,
    mouse: false,
    screenReader: false,
    onMouse: () => {},
    onLine: () => {},
    close: async () => {},
  })
  const onChosen = (id: string | null) => {
    chosen = id
    terminal.actions.exit()
  }
  await terminal.show(<Picker {...request} onChosen={onChosen} />)
  return chosen
}

const MOVES: ReadonlyMap<string, Move> = new Map([
  ['up', 'up'],
  ['down', 'down'],
  ['tab', 'down'],
  ['pageup', 'page-up'],
  ['pagedown', 'page-down'],
  ['home', 'first'],
  ['end', 'last'],
])

/** The border of the list, its head, the field and the keys. */
const OTHER_ROWS = 5

interface PickerState {
  readonly text: string
  readonly selected: string | null
}

/** A list of rows: letters filter it, arrows move the cursor, Enter chooses. */
export function Picker({ title, head, rows, theme, onChosen }: PickerProps): ReactElement {
  const { columns, rows: height } = useWindowSize()
  const page = Math.max(1, height - OTHER_ROWS)
  const [state, setState] = useState<PickerState>({ text: '', selected: null })
  // Keys that arrive together are handled one after the other, before anything is drawn.
  const current = useRef(state)
  const change = (next: Partial<PickerState>) => {
    current.current = { ...current.current, ...next }
    setState(current.current)
  }
  const write = (text: string) => change({ text, selected: null })
  const onStroke = (stroke: string) => {
    const { text, selected } = current.current
    const ids = found(rows, text).map(({ id }) => id)
    const at = selectedRow(ids, selected)
    const move = MOVES.get(stroke)
    if (move !== undefined) return change({ selected: moveSelection(ids, at, move, page) })
    if (stroke === 'enter') return at === null ? undefined : onChosen(at)
    if (stroke === 'ctrl+c' || (stroke === 'esc' && text === '')) return onChosen(null)
    if (stroke === 'esc' || stroke === 'ctrl+u') return write('')
    if (stroke === 'backspace' || stroke === 'delete') return write(withoutLastLetter(text))
    const typed = typedText(stroke)
    if (typed !== null) write(text + typed)
  }
  useInput((input, key) => readStrokes(input, key).forEach(onStroke))
  usePaste((pasted) => write(current.current.text + sanitiseLine(pasted)))
  const shown = found(rows, state.text)
  const ids = shown.map(({ id }) => id)
  const width = columns - 2
  const line = (text: string) => <Line theme={theme} width={width} spans={[{ text }]} />
  return (
    <Box flexDirection="column" flexShrink={0} width={columns} height={height}>
      <Pane {...{ title, theme }} focused width={columns} height={height - 1}>
        {line(`/ ${state.text}_`)}
        <Line theme={theme} width={width} spans={[{ text: '  ' }, { text: head, dim: true }]} />
        {shown.length === 0 && line(`Nothing matches "${state.text}".`)}
        <WindowedList
          rows={shown}
          selected={selectedRow(ids, state.selected)}
          width={width}
          height={shown.length === 0 ? 0 : page}
          theme={theme}
          renderRow={({ text }, isSelected) => (
            <Line
              theme={theme}
              width={width}
              spans={[cursorSpan(isSelected, theme), { text, bold: isSelected }]}
            />
          )}
        />
      </Pane>
      <Line
        theme={theme}
        width={columns}
        spans={[{ text: 'Enter choose  Up Down move  letters filter  Esc leave', dim: true }]}
      />
    </Box>
  )
}

/** Returns the rows with every typed word; if there are none, those with the letters in order. */
function found(rows: readonly PickerRow[], text: string): readonly PickerRow[] {
  const exact = rows.filter((row) => matchesFilter(text.trim(), [row.text]))
  if (exact.length > 0) return exact
  return rows.filter((row) => hasLettersInOrder(row.text.toLowerCase(), text.toLowerCase()))
}
