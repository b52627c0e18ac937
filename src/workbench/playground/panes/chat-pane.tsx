import type { ReactElement } from 'react'
import {
  cursorSpan,
  glyphsOf,
  Line,
  type TextSpan,
  WindowedRows,
  wrappedText,
} from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { formatCount } from '../../../entries/plan.ts'
import { CHAT, interruptTurn, isAnswering, startWriting } from '../changes/writing-actions.ts'
import { completions } from '../changes/complete-word.ts'
import { whyNoChange } from '../changes/change-session.ts'
import type { TranscriptLine } from '../chat/transcript-lines.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import type { Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import type { ChatState, UiState } from '../context/ui-state.ts'
import { useShown } from '../context/use-shown.ts'
import { scrollKeys } from '../keys/scroll-actions.ts'
import { messageLines } from '../text/insert-lines.ts'
import { jsonLines, textLines } from '../text/text-lines.ts'
import { valueLines } from '../text/value-lines.ts'
import { openRow } from './open-why.ts'

/** The keys that scroll by a line choose one here. */
const OWN_KEYS: ReadonlySet<string> = new Set([`${CHAT}.up`, `${CHAT}.down`])

/** The conversation with the model: its messages, steps with their prices, calls, and skills that came and went. */
export const chatPane: ScreenPane = {
  id: CHAT,
  title: 'Chat',
  key: '7',
  place: 'tab',
  actions: [
    {
      id: 'chat.open',
      title: 'Open the chosen line in full; without one, write to the model',
      verb: 'chat',
      keys: ['enter'],
      whyNot: (context) => (chosenLine(context) === null ? whyNoChange(context) : null),
      run: (context) =>
        chosenLine(context) === null ? startWriting(context) : openRow(context, CHAT),
    },
    {
      id: 'chat.interrupt',
      title: 'Return to the end, or interrupt the answer',
      verb: 'to the end, or interrupt',
      keys: ['esc'],
      when: (context) => chosenLine(context) !== null || isAnswering(context),
      run(context) {
        if (chosenLine(context) === null) interruptTurn(context)
        else scrollTo(context, Infinity)
      },
    },
    {
      id: 'chat.up',
      title: 'Choose the line above',
      verb: 'choose',
      keys: ['k', 'up'],
      run: (context) => choose(context, -1),
    },
    {
      id: 'chat.down',
      title: 'Choose the line below',
      keys: ['j', 'down'],
      run: (context) => choose(context, 1),
    },
    {
      id: 'chat.write',
      title: 'Write to the model',
      verb: 'chat',
      keys: ['i'],
      whyNot: whyNoChange,
      run: startWriting,
    },
    ...scrollKeys(CHAT, scrollBy).filter(({ id }) => !OWN_KEYS.has(id)),
  ],
  rows: () => [],
  about: (context) => {
    const line = chosenLine(context)
    return line && describeLine(line, context.ui.getState().chat)
  },
  status: ({ ui }) => ui.getState().chat.model ?? '',
  View: ChatPane,
}

/** Returns the line that is chosen; null for none. */
function chosenLine({ ui }: Pick<PlaygroundContext, 'ui'>): TranscriptLine | null {
  return ui.getState().chat.chosen
}

/** Chooses the next line from the chosen one, from the end at first, and scrolls to it. Behind the last one, none is. */
function choose(context: PlaygroundContext, by: 1 | -1): void {
  const { chat } = context.ui.getState()
  const { lines, chosen } = chat
  const from = chosen === null ? lines.length : lines.indexOf(chosen)
  const line = lines[Math.max(0, from + by)]
  if (line === undefined) return scrollTo(context, Infinity)
  const { width, height } = transcriptSize(context)
  const rows = chatRows(chat, width)
  const at = rows.findIndex(({ of }) => of === line)
  const { top } = window({ chat }, width, height)
  const margin = 2
  const to = Math.min(Math.max(top, at - height + margin + 1), Math.max(0, at - margin))
  const held = chat.held ?? { top: to, lines: lines.length }
  context.ui.setState({ chat: { ...chat, chosen: line, held: { ...held, top: to } } })
}

/** Describes a line in full: its arguments or its result, or all of the answer that it is a part of. */
function describeLine(line: TranscriptLine, { lines }: Pick<ChatState, 'lines'>): Description {
  return aboutCache([line, lines], '', () => {
    const { kind, whole } = line
    const [title = ''] = line.text.trim().split('\n')
    if (whole !== undefined) {
      return { title, lines: valueLines(whole), sent: () => jsonLines(whole) }
    }
    if (kind !== 'model') return { title, lines: textLines(line.text) }
    const at = lines.indexOf(line)
    const isOther = (one: TranscriptLine) => one.kind !== 'model'
    const first = lines.slice(0, at).findLastIndex(isOther) + 1
    const after = lines.slice(at).findIndex(isOther)
    const answer = lines.slice(first, after < 0 ? undefined : at + after)
    return { title: 'model', lines: textLines(answer.map(({ text }) => text).join('\n')) }
  })
}

const aboutCache = identityMemo<Description>()

/** One line on the screen. */
type Row = Pick<TranscriptLine, 'kind' | 'text'> & {
  /** The line that it is a part of. */
  readonly of?: TranscriptLine
}

/** Columns of the cursor. */
const CURSOR = 2

const rowCache = identityMemo<readonly Row[]>()

/** Returns the lines of a conversation at a width. */
function chatRows(
  { lines, answer }: Pick<ChatState, 'lines' | 'answer'>,
  width: number,
): readonly Row[] {
  const columns = Math.max(1, width - CURSOR)
  const said = answer === '' ? [] : wrapped({ kind: 'model', text: answer }, columns)
  return [
    ...rowCache([lines], `${width}`, () =>
      lines.flatMap((line) => rowCache([line], `${width}`, () => wrapped(line, columns))),
    ),
    ...said,
  ]
}

function wrapped(line: TranscriptLine, width: number): readonly Row[] {
  const { kind, text } = line
  const rows = wrappedText(text, width).map((row): Row => ({ kind, text: row, of: line }))
  // An empty line before each message makes turns easy to find.
  return kind === 'person' ? [{ kind: 'note', text: '' }, ...rows] : rows
}

function transcriptSize(context: PlaygroundContext) {
  const { width, height } = drawnSize(context, CHAT)
  const field = fieldRows(context.ui.getState().writing, height)
  return { width, height: Math.max(0, height - field - 1) }
}

/** Returns the rows of the field for a message. */
function fieldRows(writing: UiState['writing'], height: number): number {
  const lines = writing?.text.split('\n').length ?? 1
  return Math.min(lines, Math.max(1, Math.floor(height / 3)))
}

/** Scrolls by some rows, given those of a page. */
export function scrollBy(context: PlaygroundContext, by: (page: number) => number): void {
  const { width, height } = transcriptSize(context)
  const { top } = window(context.ui.getState(), width, height)
  scrollTo(context, top + by(Math.max(1, height - 1)))
}

/** Scrolls to a row. At the end, new ones are followed; elsewhere, what is read stays. */
function scrollTo(context: PlaygroundContext, top: number): void {
  const { chat } = context.ui.getState()
  const { width, height } = transcriptSize(context)
  const last = Math.max(0, chatRows(chat, width).length - height)
  const to = Math.max(0, top)
  const { lines = chat.lines.length } = chat.held ?? {}
  const held = to >= last ? null : { top: to, lines }
  const chosen = held === null ? null : chat.chosen
  context.ui.setState({ chat: { ...chat, held, chosen } })
}

/** Returns the first row shown, and the number of rows below that came while another part was read. */
function window({ chat }: Pick<UiState, 'chat'>, width: number, height: number) {
  const count = chatRows(chat, width).length
  const last = Math.max(0, count - height)
  const { held } = chat
  if (held === null || (held.top >= last && chat.chosen === null)) return { top: last, fresh: 0 }
  const seen = chatRows({ lines: chat.lines.slice(0, held.lines), answer: '' }, width).length
  const top = Math.min(held.top, last)
  return { top, fresh: Math.min(count - seen, last - top) }
}

function ChatPane({ context, width, height, theme }: ScreenPaneProps): ReactElement {
  const { chat, writing } = useShown(context, (state) => state)
  rememberDrawnSize(context, CHAT, { width, height })
  const rows = chatRows(chat, width)
  const shown = rows.length === 0 ? chatRows(EMPTY, width) : rows
  const { height: room } = transcriptSize(context)
  const { top, fresh } = window({ chat }, width, room)
  const most = fieldRows(writing, height)
  const field =
    writing === null
      ? [[{ text: WRITE, dim: true }]]
      : messageLines(writing, { width: width - 2, most, theme })
  const words = completions(context)
  const above: TextSpan =
    fresh > 0
      ? {
          text: `${glyphsOf(theme).below} ${formatCount(fresh)} new`,
          tone: 'accent',
        }
      : { text: words.length === 0 ? ' ' : `Tab: ${words.slice(0, 6).join('  ')}`, dim: true }
  return (
    <>
      <WindowedRows
        {...{ width, theme }}
        count={shown.length}
        selected={-1}
        scroll={top}
        height={room}
        onScroll={(to) => scrollTo(context, to)}
        renderRow={(index) => {
          const { kind, text, of } = shown[index] as Row
          const cursor = cursorSpan(of !== undefined && of === chat.chosen, theme)
          return (
            <Line {...{ width, theme }} spans={[cursor, { text: text || ' ', ...LOOKS[kind] }]} />
          )
        }}
      />
      <Line {...{ width, theme }} spans={[above]} />
      {field.map((spans, place) => (
        <Line
          key={place}
          {...{ width, theme }}
          spans={[{ text: place === 0 ? '> ' : '  ', bold: true }, ...spans]}
        />
      ))}
    </>
  )
}

const WRITE = 'press Enter to write to the model'

const EMPTY: Pick<ChatState, 'lines' | 'answer'> = {
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
  left: { bold: true },
  failed: { tone: 'bad' },
  note: { dim: true },
}
