import type { ReactElement } from 'react'
import { Line, type TextSpan, WindowedRows, wrappedText } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { CHAT, interruptTurn, isAnswering, startWriting } from '../changes/writing-actions.ts'
import { whyNoChange } from '../changes/change-session.ts'
import type { TranscriptLine } from '../chat/transcript-lines.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import type { ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { changePane, type ChatState, paneState } from '../context/ui-state.ts'
import { useShown } from '../context/use-shown.ts'
import { scrollKeys } from '../keys/scroll-actions.ts'
import { fieldSpans } from '../text/text-field.ts'

/** The field for a message, and the line above it. */
const FIELD_ROWS = 2

/** The conversation with the model: its messages, steps with their prices, calls, and skills that came and went. */
export const chatPane: ScreenPane = {
  id: CHAT,
  title: 'Chat',
  key: '7',
  place: 'tab',
  actions: [
    {
      id: 'chat.write',
      title: 'Write to the model',
      verb: 'chat',
      keys: ['enter', 'i'],
      whyNot: whyNoChange,
      run: startWriting,
    },
    {
      id: 'chat.interrupt',
      title: 'Interrupt the answer',
      verb: 'interrupt',
      keys: ['esc'],
      when: isAnswering,
      run: interruptTurn,
    },
    ...scrollKeys(CHAT, (context, by) => {
      const { height } = transcriptSize(context)
      const { scroll } = paneState(context.ui.getState(), CHAT)
      scrollTo(context, scroll - by(Math.max(1, height - 1)))
    }),
  ],
  rows: () => [],
  status: ({ ui }) => ui.getState().chat.model ?? '',
  View: ChatPane,
}

/** One line on the screen. */
type Row = Pick<TranscriptLine, 'kind' | 'text'>

const rowCache = identityMemo<readonly Row[]>()

/** Returns the lines of a conversation at a width. */
function rowsOf({ lines, answer }: ChatState, width: number): readonly Row[] {
  const said = answer === '' ? [] : wrapped({ kind: 'model', text: answer }, width)
  return [
    ...rowCache([lines], `${width}`, () =>
      lines.flatMap((line) => rowCache([line], `${width}`, () => wrapped(line, width))),
    ),
    ...said,
  ]
}

function wrapped({ kind, text }: TranscriptLine, width: number): readonly Row[] {
  const rows = wrappedText(text, width).map((row): Row => ({ kind, text: row }))
  // An empty line before each message makes turns easy to find.
  return kind === 'person' ? [{ kind: 'note', text: '' }, ...rows] : rows
}

function transcriptSize(context: PlaygroundContext) {
  const { width, height } = drawnSize(context, CHAT)
  return { width, height: Math.max(0, height - FIELD_ROWS) }
}

/** Scrolls to a number of lines above the newest ones: at 0, new lines are followed. */
function scrollTo(context: PlaygroundContext, above: number): void {
  const { width, height } = transcriptSize(context)
  const last = Math.max(0, rowsOf(context.ui.getState().chat, width).length - height)
  const scroll = Math.max(0, Math.min(last, above))
  context.ui.setState((state) => changePane(state, CHAT, { scroll }))
}

function ChatPane({ context, width, height, theme }: ScreenPaneProps): ReactElement {
  const { chat, writing, panes } = useShown(context, (state) => state)
  rememberDrawnSize(context, CHAT, { width, height })
  const rows = rowsOf(chat, width)
  const shown = rows.length === 0 ? rowsOf(EMPTY, width) : rows
  const { height: room } = transcriptSize(context)
  const last = Math.max(0, shown.length - room)
  const { scroll } = paneState({ panes }, CHAT)
  const field =
    writing === null ? [{ text: WRITE, dim: true }] : fieldSpans(writing, width - 2, theme)
  return (
    <>
      <WindowedRows
        {...{ width, theme }}
        count={shown.length}
        selected={-1}
        scroll={Math.max(0, last - scroll)}
        height={room}
        onScroll={(top) => scrollTo(context, last - top)}
        renderRow={(index) => {
          const { kind, text } = shown[index] as Row
          return <Line {...{ width, theme }} spans={[{ text: text || ' ', ...LOOKS[kind] }]} />
        }}
      />
      <Line {...{ width, theme }} spans={[{ text: ' ' }]} />
      <Line {...{ width, theme }} spans={[{ text: '> ', bold: true }, ...field]} />
    </>
  )
}

const WRITE = 'press Enter to write to the model'

const EMPTY: ChatState = {
  model: null,
  answer: '',
  lines: [
    {
      kind: 'note',
      text: 'Say in your own words what you want: "which region sold most?" Each step shows what the model saw and what it cost, skills and tools change at the left as they come and go, and calls that ask wait in 3.\n\nWithout a model, the search answers: it loads the skill that fits. loadout --model http://localhost:11434/v1#qwen3 names a model.',
    },
  ],
}

const LOOKS: Readonly<Record<TranscriptLine['kind'], Omit<TextSpan, 'text'>>> = {
  person: { bold: true },
  model: {},
  step: { dim: true },
  call: {},
  arrived: { tone: 'good', bold: true },
  left: { tone: 'warning' },
  failed: { tone: 'bad' },
  note: { dim: true },
}
