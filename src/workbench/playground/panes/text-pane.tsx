import type { ReactElement } from 'react'
import {
  glyphsOf,
  Line,
  type TextSpan,
  WindowedRows,
  wrappedText,
} from '../../../entries/ink-views.ts'
import { identityMemo, sanitiseLine } from '../../../entries/kit.ts'
import { counted, formatCount } from '../../../entries/plan.ts'
import { openPlace, sayNoPlace } from '../changes/open-file.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import type { Action, Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { changePane, note, paneState } from '../context/ui-state.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { scrollKeys } from '../keys/scroll-actions.ts'
import { WHY } from './open-why.ts'

/** A tab with a text to read. */
interface TextPaneParts<Text> extends Pick<ScreenPane, 'id' | 'title' | 'key'> {
  readonly actions?: readonly Action[]
  /** Returns the text that is shown now. */
  cursorText(context: PlaygroundContext): Text
  /** Returns the lines that scroll keys move over. */
  describedLines(text: Text, width: number): readonly unknown[]
  /** Returns the same lines as plain text, for a search and to copy them; without a width, they are not broken. */
  plainLines(text: Text, width: number | null): readonly string[]
  /** Draws the text in a box, from its line `scroll` on. */
  draw(text: Text, box: TextBox): ReactElement
}

/** Creates a tab with a text to read. A text with another title is shown from its start. */
export function textPane<Text extends { readonly title: string }>(
  parts: TextPaneParts<Text>,
): ScreenPane {
  const { id, title, key, actions = [], cursorText, draw } = parts
  const view = textView(parts)
  return {
    id,
    title,
    key,
    place: 'tab',
    actions: [...actions, ...searchActions(parts, view)],
    rows: () => [],
    needs: view.needs,
    found(context) {
      view.jump(context, 1, true)
      return null
    },
    status: (context) => view.status(context),
    View({ context, width, height, theme }) {
      const { hit, filter } = useShown(context, (state) => paneState(state, id))
      useShown(context, (state) => state)
      useShown(context, context.texts.version)
      useReader(context)
      rememberDrawnSize(context, id, { width, height })
      const text = cursorText(context)
      const scroll = view.scroll(context, text)
      const onScroll = (top: number) => view.scrollTo(context, text, top, hit)
      return draw(text, { width, height, scroll, theme, onScroll, search: filter, hit })
    },
  }
}

/** Reads and moves the window over a text, and its search. */
function textView<Text extends { readonly title: string }>(parts: TextPaneParts<Text>) {
  const { id, cursorText, describedLines, plainLines } = parts
  const scroll = (context: PlaygroundContext, text: Text) => {
    const pane = paneState(context.ui.getState(), id)
    return pane.selected === text.title ? pane.scroll : 0
  }
  const columns = (context: PlaygroundContext) =>
    textColumns(drawnSize(context, id).width, paneState(context.ui.getState(), id).filter)
  const scrollTo = (context: PlaygroundContext, text: Text, top: number, hit = -1) => {
    const { height } = drawnSize(context, id)
    const last = Math.max(0, describedLines(text, columns(context)).length - height)
    const to = Math.max(0, Math.min(last, top))
    context.ui.setState((state) => changePane(state, id, { selected: text.title, scroll: to, hit }))
  }
  const lines = (context: PlaygroundContext) => plainLines(cursorText(context), columns(context))
  return {
    scroll,
    scrollTo,
    needs: (context: PlaygroundContext) =>
      describedLines(cursorText(context), columns(context)).length,
    /** Goes to another match; while the search is typed, the one it is at counts. */
    jump(context: PlaygroundContext, by: 1 | -1, isTyped = false) {
      const text = cursorText(context)
      const { filter, selected, hit } = paneState(context.ui.getState(), id)
      const isAt = selected === text.title && hit >= 0
      const from = isAt ? hit - (isTyped ? 1 : 0) : scroll(context, text) - 1
      const next = hitAfter(lines(context), filter, from, by)
      if (next === null) return
      scrollTo(context, text, next - Math.floor(drawnSize(context, id).height / 3), next)
    },
    status(context: PlaygroundContext): string {
      const { filter, hit } = paneState(context.ui.getState(), id)
      if (filter === '') return cursorText(context).title
      const hits = hitsIn(lines(context), filter)
      const at = hits.indexOf(hit)
      const place = at < 0 ? counted(hits.length, 'line') : `${at + 1} of ${hits.length}`
      return `${place} with "${filter}"`
    },
  }
}

/** The keys that copy, search and scroll a text. */
function searchActions<Text extends { readonly title: string }>(
  { id, cursorText, plainLines }: TextPaneParts<Text>,
  view: ReturnType<typeof textView<Text>>,
): readonly Action[] {
  const searches = ({ ui }: PlaygroundContext) => paneState(ui.getState(), id).filter !== ''
  return [
    {
      id: `${id}.copy`,
      title: 'Copy the text',
      verb: 'copy',
      keys: ['y'],
      run: (context) => copyText(context, plainLines(cursorText(context), null).join('\n')),
    },
    {
      id: `${id}.next-hit`,
      title: 'Next match',
      keys: ['n'],
      when: searches,
      run: (context) => view.jump(context, 1),
    },
    {
      id: `${id}.previous-hit`,
      title: 'Previous match',
      keys: ['N'],
      when: searches,
      run: (context) => view.jump(context, -1),
    },
    ...scrollKeys(id, (context, by) => {
      const text = cursorText(context)
      const { height } = drawnSize(context, id)
      view.scrollTo(context, text, view.scroll(context, text) + by(Math.max(1, height - 1)))
    }),
  ]
}

const hitCache = identityMemo<readonly number[]>()

/** Returns the numbers of the lines that contain a text, ignoring case. */
function hitsIn(lines: readonly string[], search: string): readonly number[] {
  const wanted = sanitiseLine(search).toLowerCase()
  if (wanted === '') return []
  return hitCache([lines], wanted, () =>
    lines.flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [index] : [])),
  )
}

/** Returns the line of the next hit after a line, or before it, around the end; null without one. */
function hitAfter(
  lines: readonly string[],
  search: string,
  from: number,
  by: 1 | -1,
): number | null {
  const hits = hitsIn(lines, search)
  const next =
    by > 0 ? hits.find((line) => line > from) : hits.findLast((line) => line < Math.max(0, from))
  return next ?? hits.at(by > 0 ? 0 : -1) ?? null
}

/** Returns a line with the searched text in inverse colours. */
function markHits(line: string, search: string): readonly TextSpan[] {
  const wanted = sanitiseLine(search).toLowerCase()
  const lower = line.toLowerCase()
  // A letter whose lower-case form is longer would shift the marks.
  if (wanted === '' || lower.length !== line.length) return [{ text: line || ' ' }]
  const spans: TextSpan[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    spans.push({ text: line.slice(from, at) })
    from = at + wanted.length
    spans.push({ text: line.slice(at, from), inverse: true })
  }
  return [...spans, { text: line.slice(from) || ' ' }]
}

/** The most bytes that terminals put into their clipboard: 100,000 of OSC 52, in base64. */
const MOST_COPIED = 74_994

/** Puts a text into the clipboard of the terminal by OSC 52, and says so. A long text is cut. */
function copyText({ ui, copy }: Pick<PlaygroundContext, 'ui' | 'copy'>, text: string): void {
  const bytes = Buffer.from(text)
  const shown = bytes.length <= MOST_COPIED ? text : wholeLetters(bytes.subarray(0, MOST_COPIED))
  const lines = counted(shown.split('\n').length, 'line')
  const cut =
    shown === text
      ? ''
      : `, cut: the first ${formatCount(Buffer.byteLength(shown))} of ${formatCount(bytes.length)} bytes`
  const banner = copy(shown)
    ? note('done', `copied ${lines} to the clipboard of the terminal (OSC 52)${cut}`)
    : note('refused', 'There is no terminal whose clipboard could take it.')
  ui.setState({ banner })
}

/** Reads UTF-8 without a character that was cut at its end. */
function wholeLetters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true })
}

/** The room of a text, and its search. */
type TextBox = Pick<ScreenPaneProps, 'width' | 'height' | 'theme'> & {
  readonly scroll: number
  onScroll(top: number): void
  readonly search: string
  /** The line of the hit that the search is at; -1 for none. */
  readonly hit: number
}

const NOTHING: Description = { title: '', lines: ['Nothing is selected.'] }

/** The mode of the pane that shows the bytes that are sent. */
const SENT = 'sent'

/**
 * Creates the tab that describes the row under the cursor of a list, or that a tab has opened: its status, the reasons, its
 * definition, its text.
 */
export function whyPane(panes: readonly ScreenPane[]): ScreenPane {
  const described = (context: PlaygroundContext): Description => {
    const { list, opened } = context.ui.getState()
    return panes.find(({ id }) => id === (opened ?? list))?.about?.(context) ?? NOTHING
  }
  const sentLines = identityMemo<Description>()
  const cursorText = (context: PlaygroundContext): Description => {
    const text = described(context)
    if (text.sent === undefined || paneState(context.ui.getState(), WHY).mode !== SENT) return text
    const title = `${text.title}, as sent`
    return sentLines([text], '', () => ({ title, lines: text.sent?.() ?? [] }))
  }
  return textPane<Description>({
    id: WHY,
    title: 'Why',
    key: '6',
    actions: [
      {
        id: 'why.open',
        title: 'Open the rule or file that is named, in $EDITOR',
        verb: 'edit',
        keys: ['e'],
        run(context) {
          const { place } = described(context)
          return place === undefined ? sayNoPlace(context) : openPlace(context, place)
        },
      },
      {
        id: 'why.sent',
        title: 'Switch between the text and the bytes as sent',
        verb: 'as sent',
        keys: ['m'],
        when: (context) => described(context).sent !== undefined,
        run: ({ ui }) =>
          ui.setState((state) =>
            changePane(state, WHY, { mode: paneState(state, WHY).mode === SENT ? '' : SENT }),
          ),
      },
    ],
    cursorText,
    describedLines,
    plainLines: (text, width) => (width === null ? text.lines : describedLines(text, width)),
    draw: (text, box) => (
      <SearchedText {...box} lines={describedLines(text, textColumns(box.width, box.search))} />
    ),
  })
}

/** Returns the columns of the lines of a text: a search has one for its mark. */
export function textColumns(width: number, search: string): number {
  return search === '' ? width : width - 1
}

/** A text whose lines with a hit are marked. Only the part in view is drawn. */
export function SearchedText({
  lines,
  search,
  hit,
  scroll,
  width,
  height,
  theme,
  onScroll,
}: TextBox & { readonly lines: readonly string[] }): ReactElement {
  const { cursor } = glyphsOf(theme)
  return (
    <WindowedRows
      {...{ scroll, width, height, theme, onScroll }}
      count={lines.length}
      selected={-1}
      renderRow={(index) => {
        const line = lines[index] ?? ''
        const spans: readonly TextSpan[] =
          search === '' ? [{ text: line || ' ' }] : markHits(line, search)
        const mark = search === '' ? [] : [{ text: index === hit ? cursor : ' ', bold: true }]
        return <Line {...{ width, theme }} spans={[...mark, ...spans]} />
      }}
    />
  )
}

const lineCache = identityMemo<readonly string[]>()

function describedLines({ lines }: Description, width: number): readonly string[] {
  return lineCache([lines], `${width}`, () => wrappedText(lines.join('\n'), width))
}
