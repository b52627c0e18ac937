import { Text, type TextProps } from 'ink'
import type { ReactElement } from 'react'
import { displayWidth } from '../../kernel/display-width.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { cutLine } from './fit-text.ts'
import { DEFAULT_THEME, type Theme } from './theme.ts'

/** What a text is about. It also says so in words or by a mark: colour only helps. */
export type Tone = 'good' | 'warning' | 'bad' | 'accent'

/** A piece of a line. Blanks count: pad it before. */
export interface Span {
  readonly text: string
  readonly tone?: Tone | undefined
  readonly bold?: boolean
  readonly dim?: boolean
  readonly inverse?: boolean
}

export interface LineProps {
  readonly spans: readonly Span[]
  /** Columns; what does not fit is left out. */
  readonly width: number
  readonly theme?: Theme
}

const COLOURS: Readonly<Record<Tone, string>> = {
  good: 'green',
  warning: 'yellow',
  bad: 'red',
  accent: 'cyan',
}

/**
 * One line of a screen: never wrapped, never wider than told, and without a control character,
 * wherever its text comes from.
 */
export function Line({ spans, width, theme = DEFAULT_THEME }: LineProps): ReactElement {
  return (
    <Text wrap="truncate-end">
      {fitSpans(spans, width, theme).map((span, index) => (
        <Text key={index} {...styleOf(span, theme)}>
          {span.text}
        </Text>
      ))}
    </Text>
  )
}

function fitSpans(spans: readonly Span[], width: number, theme: Theme): Span[] {
  let left = width
  return spans.flatMap((span) => {
    if (left <= 0) return []
    const safe = sanitiseText(span.text).replaceAll('\t', ' ').replaceAll('\n', ' ')
    const text = cutLine(safe, left, theme)
    left -= displayWidth(text)
    return text === '' ? [] : [{ ...span, text }]
  })
}

function styleOf({ tone, bold, dim, inverse }: Span, theme: Theme): TextProps {
  return {
    ...(tone !== undefined && theme.colour && { color: COLOURS[tone] }),
    ...(bold === true && { bold }),
    ...(dim === true && { dimColor: true }),
    ...(inverse === true && { inverse }),
  }
}
