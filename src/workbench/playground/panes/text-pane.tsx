import type { ReactElement } from 'react'
import { glyphsOf, type TextSpan, WindowedRows, wrappedText } from '../../../entries/ink-views.ts'
import { Line } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { counted } from '../../../entries/plan.ts'
import { openPlace, sayNoPlace } from '../changes/open-file.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import type { Action, Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { changePane, paneState } from '../context/ui-state.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { scrollKeys } from '../keys/scroll-actions.ts'
import { copyText } from '../text/copy-text.ts'
import { hitsIn, markHits, nextHit } from '../text/text-search.ts'
import { WHY } from './open-why.ts'

/** Creates a tab with a text to read. A text with another title is shown from its start. */
export function textPane<Text extends { readonly title: string }>({
  id,
  title,
  key,
  actions = [],
  cursorText,
  describedLines,
  plainLines,
  draw,
}: Pick<ScreenPane, 'id' | 'title' | 'key'> & {
  readonly actions?: readonly Action[]
  /** Returns the text that is shown now. */
  cursorText(context: PlaygroundContext): Text
  /** Returns the lines that scroll keys move over. */
  describedLines(text: Text, width: number): readonly unknown[]
  /** Returns the same lines as plain text, for a search and to copy them; those of no width are not broken. */
  plainLines(text: Text, width: number | null): readonly string[]
  /** Draws the text in a box, from its line `scroll` on. */
  draw(text: Text, box: TextBox): ReactElement
}): ScreenPane {
  const textScroll = (context: PlaygroundContext, text: Text) => {
    const { selected, scroll } = paneState(context.ui.getState(), id)
    return selected === text.title ? scroll : 0
  }
  const scrollTo = (context: PlaygroundContext, text: Text, scroll: number, hit = -1) => {
    const { width, height } = drawnSize(context, id)
    const last = Math.max(0, describedLines(text, width).length - height)
    const to = Math.max(0, Math.min(last, scroll))
    context.ui.setState((state) => changePane(state, id, { selected: text.title, scroll: to, hit }))
  }
  const linesNow = (context: PlaygroundContext) =>
    plainLines(cursorText(context), drawnSize(context, id).width)
  const jump = (by: 1 | -1, isTyped: boolean) => (context: PlaygroundContext) => {
    const text = cursorText(context)
    const { filter, selected, hit } = paneState(context.ui.getState(), id)
    const from = selected === text.title && hit >= 0 ? hit : textScroll(context, text) - 1
    const next = nextHit(linesNow(context), filter, from - (isTyped && hit >= 0 ? 1 : 0), by)
    if (next === null) return null
    scrollTo(context, text, next - Math.floor(drawnSize(context, id).height / 3), next)
    return null
  }
  const searches = ({ ui }: PlaygroundContext) => paneState(ui.getState(), id).filter !== ''
  return {
    id,
    title,
    key,
    place: 'tab',
    actions: [
      ...actions,
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
        run: (context) => void jump(1, false)(context),
      },
      {
        id: `${id}.previous-hit`,
        title: 'Previous match',
        keys: ['N'],
        when: searches,
        run: (context) => void jump(-1, false)(context),
      },
      ...scrollKeys(id, (context, by) => {
        const text = cursorText(context)
        const { height } = drawnSize(context, id)
        scrollTo(context, text, textScroll(context, text) + by(Math.max(1, height - 1)))
      }),
    ],
    rows: () => [],
    found: jump(1, true),
    status(context) {
      const { filter, hit } = paneState(context.ui.getState(), id)
      const { title: shown } = cursorText(context)
      if (filter === '') return shown
      const hits = hitsIn(linesNow(context), filter)
      const at = hits.indexOf(hit)
      const place = at < 0 ? counted(hits.length, 'line') : `${at + 1} of ${hits.length}`
      return `${place} with "${filter}"`
    },
    View({ context, width, height, theme }) {
      const { hit, filter } = useShown(context, (state) => paneState(state, id))
      useShown(context, (state) => state)
      useShown(context, context.texts.version)
      useReader(context)
      rememberDrawnSize(context, id, { width, height })
      const text = cursorText(context)
      const scroll = textScroll(context, text)
      const onScroll = (top: number) => scrollTo(context, text, top, hit)
      return draw(text, { width, height, scroll, theme, onScroll, search: filter, hit })
    },
  }
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

/** The mode of the pane that shows a text as it is sent. */
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
    draw: (text, box) => <SearchedText {...box} lines={describedLines(text, box.width)} />,
  })
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
        const mark = index === hit && search !== '' ? [{ text: cursor, bold: true }] : []
        return <Line {...{ width, theme }} spans={[...mark, ...spans]} />
      }}
    />
  )
}

const lineCache = identityMemo<readonly string[]>()

function describedLines({ lines }: Description, width: number): readonly string[] {
  return lineCache([lines], `${width}`, () => wrappedText(lines.join('\n'), width))
}
