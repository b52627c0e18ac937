import { Box, useIsScreenReaderEnabled } from 'ink'
import type { ReactElement, ReactNode } from 'react'
import { displayWidth } from '../../../kernel/display-width.ts'
import { cutText } from './fit-text.ts'
import { Line, type TextSpan } from './line.tsx'
import { DEFAULT_THEME, type Glyphs, glyphsOf, type Theme } from './theme.ts'

export interface PaneProps {
  readonly title: string
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
 * A framed part of the screen of exactly this size; `width - 2` by `height - 2` inside. For a screen
 * reader it has a heading in words and no frame.
 */
export function Pane({
  title,
  status = '',
  focused = false,
  width,
  height,
  theme = DEFAULT_THEME,
  children,
}: PaneProps): ReactElement {
  const glyphs = glyphsOf(theme)
  const isSpoken = useIsScreenReaderEnabled()
  const heading = isSpoken
    ? [{ text: status === '' ? title : `${title}, ${status}` }]
    : titleLine(title, status, focused, width, theme)
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height} overflowY="hidden">
      <Line theme={theme} width={width} spans={heading} />
      <Box
        flexDirection="column"
        flexShrink={0}
        width={width}
        height={Math.max(0, height - 1)}
        overflowY="hidden"
        borderStyle={borderOf(glyphs)}
        borderTop={false}
        borderDimColor={!focused}
        {...(focused && theme.colour && { borderColor: 'cyan' })}
      >
        <Box flexDirection="column" flexShrink={0}>
          {children}
        </Box>
      </Box>
    </Box>
  )
}

function titleLine(
  title: string,
  status: string,
  focused: boolean,
  width: number,
  theme: Theme,
): TextSpan[] {
  const { line, topLeft, topRight } = glyphsOf(theme)
  const border: Partial<TextSpan> = focused ? { tone: 'accent' } : { dim: true }
  const room = Math.max(0, width - 6)
  const name = cutText(title, room, theme)
  const left = room - displayWidth(name)
  const shownStatus = cutStatus(status, left - 4, theme)
  const end = shownStatus === '' ? '' : ` ${shownStatus} ${line}`
  const [opening, closing] = focused ? ['[', ']'] : [' ', ' ']
  return [
    { ...border, text: topLeft + line },
    { text: opening + name + closing, bold: focused, ...(focused && { tone: 'accent' }) },
    { ...border, text: line.repeat(Math.max(0, left + 1 - displayWidth(end))) },
    { text: shownStatus === '' ? '' : ` ${shownStatus} ` },
    { ...border, text: (shownStatus === '' ? '' : line) + topRight },
  ]
}

/** Cuts between words: half a word or half a number misleads. */
function cutStatus(status: string, columns: number, theme: Theme): string {
  const cut = cutText(status, columns, theme)
  const words = cut.lastIndexOf(' ')
  return cut === status || words < 1 ? cut : cut.slice(0, words) + glyphsOf(theme).ellipsis
}

function borderOf({ line, side, topLeft, topRight, bottomLeft, bottomRight }: Glyphs) {
  return {
    topLeft,
    top: line,
    topRight,
    left: side,
    right: side,
    bottomLeft,
    bottom: line,
    bottomRight,
  }
}
