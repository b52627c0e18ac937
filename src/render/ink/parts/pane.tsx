import * as ink from 'ink'
import type { ReactElement, ReactNode } from 'react'
import { displayWidth } from '../../../kernel/display-width.ts'
import { cutText } from './fit-text.ts'
import { coloursIn, Line, type TextSpan } from './line.tsx'
import { PaneFocusContext } from './pane-focus-context.ts'
import { DEFAULT_THEME, glyphsOf, type Theme } from './theme.ts'

/** Ink before version 6.2 does not write for screen readers. */
const useSpoken = ink.useIsScreenReaderEnabled ?? (() => false)

export interface PaneProps {
  readonly title: string
  /** The titles of the parts that share the frame, in order; `title` is the one that is shown. */
  readonly tabs?: readonly string[]
  /** On the right of the upper border; left out first when there is no room. */
  readonly status?: string
  /** True while it has the keyboard focus: its title is in brackets. */
  readonly focused?: boolean
  /** Includes the border. */
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  readonly children?: ReactNode
}

/**
 * A framed part of the screen of exactly this size; `width - 2` by `height - 2` inside, and only its title in one row. For a screen
 * reader it has a heading in words and no frame.
 */
export function Pane({
  title,
  tabs = [title],
  status = '',
  focused = false,
  width,
  height,
  theme = DEFAULT_THEME,
  children,
}: PaneProps): ReactElement {
  const { line, side, topLeft, topRight, bottomLeft, bottomRight } = glyphsOf(theme)
  const isSpoken = useSpoken()
  const accent = coloursIn(theme)?.accent
  const heading = isSpoken
    ? [{ text: status === '' ? title : `${title}, ${status}` }]
    : titleLine(tabs, tabs.indexOf(title), status, { focused, isOpen: height > 1 }, width, theme)
  if (height <= 1) return <Line theme={theme} width={width} spans={heading} />
  return (
    <ink.Box flexDirection="column" flexShrink={0} width={width} height={height} overflowY="hidden">
      <Line theme={theme} width={width} spans={heading} />
      <ink.Box
        flexDirection="column"
        flexShrink={0}
        width={width}
        height={Math.max(0, height - 1)}
        overflowY="hidden"
        borderStyle={{
          topLeft,
          top: line,
          topRight,
          left: side,
          right: side,
          bottomLeft,
          bottom: line,
          bottomRight,
        }}
        borderTop={false}
        borderDimColor={!focused}
        {...(focused && accent !== undefined && { borderColor: accent })}
      >
        <ink.Box flexDirection="column" flexShrink={0}>
          <PaneFocusContext value={focused}>{children}</PaneFocusContext>
        </ink.Box>
      </ink.Box>
    </ink.Box>
  )
}

/** The titles in the upper border, and the columns they take from the left edge of the frame on. */
export function tabPlaces(
  tabs: readonly string[],
  shown: number,
  width: number,
  theme: Theme,
): readonly { readonly text: string; readonly from: number; readonly to: number }[] {
  const room = Math.max(0, width - 6)
  const titlesWidth = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + displayWidth(text) + 3, -3)
  const isRoomy = titlesWidth(tabs) <= room
  // Without room the others keep only their first word, such as a key.
  const texts = isRoomy
    ? tabs
    : tabs.map((text, place) => (place === shown ? text : (text.split(' ')[0] ?? text)))
  let from = 2
  return (titlesWidth(texts) <= room ? texts : [texts[shown] ?? '']).map((one) => {
    const text = cutText(one, room, theme)
    const place = { text, from, to: from + displayWidth(text) + 2 }
    from = place.to + 1
    return place
  })
}

function titleLine(
  tabs: readonly string[],
  shown: number,
  status: string,
  { focused, isOpen }: { readonly focused: boolean; readonly isOpen: boolean },
  width: number,
  theme: Theme,
): TextSpan[] {
  const { line, ...corners } = glyphsOf(theme)
  const { topLeft, topRight } = isOpen ? corners : { topLeft: line, topRight: line }
  const border: Partial<TextSpan> = focused ? { tone: 'accent' } : { dim: true }
  const places = tabPlaces(tabs, shown, width, theme)
  const left = width - 4 - ((places.at(-1)?.to ?? 2) - 2)
  const shownStatus = cutStatus(status, left - 4, theme)
  const end = shownStatus === '' ? '' : ` ${shownStatus} ${line}`
  return [
    { ...border, text: topLeft + line },
    ...places.flatMap(({ text }, place): TextSpan[] => {
      const isShown = places.length === 1 || place === shown
      const [opening, closing] =
        focused && isShown ? '[]' : isShown && tabs.length > 1 ? '()' : '  '
      return [
        ...(place === 0 ? [] : [{ ...border, text: line }]),
        {
          text: `${opening}${text}${closing}`,
          bold: isShown && (focused || tabs.length > 1),
          dim: !isShown,
          ...(focused && isShown && { tone: 'accent' as const }),
        },
      ]
    }),
    { ...border, text: line.repeat(Math.max(0, left + 1 - displayWidth(end))) },
    { text: shownStatus === '' ? '' : ` ${shownStatus} ` },
    { ...border, text: (shownStatus === '' ? '' : line) + topRight },
  ]
}

/** Cuts between words: half a word or half a number misleads. Empty when not even one word fits. */
function cutStatus(status: string, columns: number, theme: Theme): string {
  const cut = cutText(status, columns, theme)
  const words = cut.lastIndexOf(' ')
  if (cut === status) return cut
  return words < 1 ? '' : cut.slice(0, words) + glyphsOf(theme).ellipsis
}
