import type { ReactElement } from 'react'
import { ScrolledText, wrappedText } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { openPlace, sayNoPlace } from '../changes/open-file.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import type { Action, Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { changePane, paneState } from '../context/ui-state.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { scrollKeys } from '../keys/scroll-actions.ts'
import { WHY } from './open-why.ts'

/** Creates a tab with a text to read. A text with another title is shown from its start. */
export function textPane<Text extends { readonly title: string }>({
  id,
  title,
  key,
  actions = [],
  cursorText,
  describedLines,
  draw,
}: Pick<ScreenPane, 'id' | 'title' | 'key'> & {
  readonly actions?: readonly Action[]
  /** Returns the text that is shown now. */
  cursorText(context: PlaygroundContext): Text
  /** Returns the lines that scroll keys move over. */
  describedLines(text: Text, width: number): readonly unknown[]
  /** Draws the text in a box, from its line `scroll` on. */
  draw(
    text: Text,
    box: Pick<ScreenPaneProps, 'width' | 'height' | 'theme'> & {
      readonly scroll: number
      onScroll(top: number): void
    },
  ): ReactElement
}): ScreenPane {
  const textScroll = (context: PlaygroundContext, text: Text) => {
    const { selected, scroll } = paneState(context.ui.getState(), id)
    return selected === text.title ? scroll : 0
  }
  const scrollTo = (context: PlaygroundContext, text: Text, scroll: number) =>
    context.ui.setState((state) => changePane(state, id, { selected: text.title, scroll }))
  return {
    id,
    title,
    key,
    place: 'tab',
    actions: [
      ...actions,
      ...scrollKeys(id, (context, by) => {
        const text = cursorText(context)
        const { width, height } = drawnSize(context, id)
        const last = Math.max(0, describedLines(text, width).length - height)
        const to = textScroll(context, text) + by(Math.max(1, height - 1))
        scrollTo(context, text, Math.max(0, Math.min(last, to)))
      }),
    ],
    rows: () => [],
    status: (context) => cursorText(context).title,
    View({ context, width, height, theme }) {
      useShown(context, (state) => state)
      useReader(context)
      rememberDrawnSize(context, id, { width, height })
      const text = cursorText(context)
      const scroll = textScroll(context, text)
      const onScroll = (top: number) => scrollTo(context, text, top)
      return draw(text, { width, height, scroll, theme, onScroll })
    },
  }
}

const NOTHING: Description = { title: '', lines: ['Nothing is selected.'] }

/** Creates the tab that describes the row under the cursor of a list: its status, the reasons, its definition. */
export function whyPane(lists: readonly ScreenPane[]): ScreenPane {
  const cursorText = (context: PlaygroundContext) => {
    const { list } = context.ui.getState()
    return lists.find(({ id }) => id === list)?.about?.(context) ?? NOTHING
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
          const { place } = cursorText(context)
          return place === undefined ? sayNoPlace(context) : openPlace(context, place)
        },
      },
    ],
    cursorText,
    describedLines,
    draw: (text, box) => <ScrolledText {...box} lines={describedLines(text, box.width)} />,
  })
}

const lineCache = identityMemo<readonly string[]>()

function describedLines({ lines }: Description, width: number): readonly string[] {
  return lineCache([lines], `${width}`, () => wrappedText(lines.join('\n'), width))
}
