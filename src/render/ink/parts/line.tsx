import { Text, type TextProps } from 'ink'
import type { ReactElement } from 'react'
import { displayWidth } from '../../../kernel/display-width.ts'
import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import { cutLine } from './fit-text.ts'
import { DEFAULT_THEME, glyphsOf, type Theme } from './theme.ts'

/** What a text is about. It also says so in words or by a mark: colour only helps. */
export type Tone = 'good' | 'warning' | 'bad' | 'accent'

/** A piece of a line. Blanks count: pad it before. */
export interface TextSpan {
  readonly text: string
  readonly tone?: Tone | undefined
  readonly bold?: boolean
  readonly dim?: boolean
  readonly inverse?: boolean
}

export interface LineProps {
  readonly spans: readonly TextSpan[]
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
      {runsOf(withoutTrailingBlanks(fitSpans(spans, width, theme)), theme).map(
        ({ text, style }, index) =>
          style === PLAIN ? (
            text
          ) : (
            <Text key={index} {...style}>
              {text}
            </Text>
          ),
      )}
    </Text>
  )
}

function fitSpans(spans: readonly TextSpan[], width: number, theme: Theme): TextSpan[] {
  let left = width
  let isCut = false
  const fitting = spans.flatMap((span) => {
    if (left <= 0) {
      isCut ||= span.text.trim() !== ''
      return []
    }
    const safe = sanitiseText(span.text).replaceAll('\t', ' ').replaceAll('\n', ' ')
    // Blanks that are left out are no loss, and need no mark.
    const isRoomy = displayWidth(safe) <= left
    const text = cutLine(isRoomy ? safe : safe.trimEnd(), left, theme)
    left -= displayWidth(text)
    return text === '' ? [] : [{ ...span, text }]
  })
  const last = fitting.at(-1)
  if (!isCut || last === undefined) return fitting
  const said = last.text.trimEnd()
  const room = displayWidth(last.text)
  const text =
    displayWidth(said) < room ? said + glyphsOf(theme).ellipsis : cutLine(`${said} `, room, theme)
  return [...fitting.slice(0, -1), { ...last, text }]
}

/** Blanks at the end cost Ink as much as letters, and nobody sees them: one is left at most. */
function withoutTrailingBlanks(spans: readonly TextSpan[]): readonly TextSpan[] {
  let count = spans.length
  let last = spans[count - 1]
  while (count > 1 && last?.inverse !== true && last?.text.trimEnd() === '') {
    count -= 1
    last = spans[count - 1]
  }
  if (last === undefined || last.inverse === true) return spans.slice(0, count)
  return [...spans.slice(0, count - 1), { ...last, text: last.text.trimEnd() || ' ' }]
}

interface Run {
  readonly text: string
  readonly style: TextProps
}

const PLAIN: TextProps = {}

/** Neighbours drawn the same way as one: each run of text costs a node of React and of Ink. */
function runsOf(spans: readonly TextSpan[], theme: Theme): Run[] {
  const runs: Run[] = []
  let last = ''
  for (const span of spans) {
    const tone = theme.colour ? span.tone : undefined
    const style = `${tone ?? ''} ${span.bold === true} ${span.dim === true} ${span.inverse === true}`
    const before = runs.at(-1)
    if (before !== undefined && style === last) {
      runs[runs.length - 1] = { ...before, text: before.text + span.text }
    } else {
      runs.push({ text: span.text, style: styleOf({ ...span, tone }) })
    }
    last = style
  }
  return runs
}

function styleOf({ tone, bold, dim, inverse }: TextSpan): TextProps {
  if (tone === undefined && bold !== true && dim !== true && inverse !== true) return PLAIN
  return {
    ...(tone !== undefined && { color: COLOURS[tone] }),
    ...(bold === true && { bold }),
    ...(dim === true && { dimColor: true }),
    ...(inverse === true && { inverse }),
  }
}
