import { Text, type TextProps } from 'ink'
import { type ReactElement, useContext } from 'react'
import { displayWidth } from '../../../kernel/display-width.ts'
import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import { cutLine } from './fit-text.ts'
import { PaneFocusContext } from './pane-focus-context.ts'
import { DEFAULT_THEME, glyphsOf, type Theme } from './theme.ts'

/**
 * The role of a text: what is chosen, active, asking, refused, a warning, or a price. No colour has two. Words or a mark
 * express it too: colour only helps.
 */
export type Tone = 'accent' | 'good' | 'asking' | 'bad' | 'warning' | 'price'

/** A piece of a line. Blanks are kept, so pad it first. */
export interface TextSpan {
  readonly text: string
  readonly tone?: Tone | undefined
  readonly bold?: boolean
  readonly dim?: boolean
  readonly inverse?: boolean
  /** At the beginning of a line: draws all of it as the bar of the chosen row. */
  readonly chosen?: true
}

export interface LineProps {
  readonly spans: readonly TextSpan[]
  /** Columns; text that does not fit is cut. */
  readonly width: number
  readonly theme?: Theme
}

/** The colours of the roles. On a dark screen they are those of the terminal. */
const DARK: Readonly<Record<Tone, string>> = {
  accent: 'cyan',
  good: 'green',
  asking: 'magenta',
  bad: 'red',
  warning: 'yellow',
  price: 'blueBright',
}

/** On a light screen many terminals draw green, cyan and yellow too light to read. With 16 colours the nearest are used. */
const LIGHT: typeof DARK = {
  accent: '#0969da',
  good: '#116329',
  asking: '#8250df',
  bad: '#a40e26',
  warning: '#7d4e00',
  price: '#0a5c6b',
}

/** Returns the colours of a theme; null for one without. */
export function coloursIn({ colour, light }: Theme): typeof DARK | null {
  if (!colour) return null
  return light === true ? LIGHT : DARK
}

/**
 * One line of the screen: never wrapped, never wider than `width`, and without control characters,
 * whatever its text contains.
 */
export function Line({ spans, width, theme = DEFAULT_THEME }: LineProps): ReactElement {
  const isFocused = useContext(PaneFocusContext)
  const isBar = spans[0]?.chosen === true && isFocused && theme.colour
  const fitted = fitSpans(spans, width, theme)
  return (
    <Text wrap="truncate-end">
      {mergeSpans(isBar ? bar(fitted, width) : withoutTrailingBlanks(fitted), theme).map(
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

/** Draws spans as one bar of the width: on it, colours of their own would have no meaning. */
function bar(spans: readonly TextSpan[], width: number): readonly TextSpan[] {
  const text = spans.map((span) => span.text).join('')
  const rest = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return [{ text: text + rest, tone: 'accent', bold: true, inverse: true }]
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
    // Blanks that are cut are no loss and need no ellipsis.
    const isRoomy = displayWidth(safe) <= left
    const text = cutLine(isRoomy ? safe : safe.trimEnd(), left, theme)
    left -= displayWidth(text)
    return text === '' ? [] : [{ ...span, text }]
  })
  const last = fitting.at(-1)
  if (!isCut || last === undefined) return fitting
  const trimmed = last.text.trimEnd()
  const room = displayWidth(last.text)
  const text =
    displayWidth(trimmed) < room
      ? trimmed + glyphsOf(theme).ellipsis
      : cutLine(`${trimmed} `, room, theme)
  return [...fitting.slice(0, -1), { ...last, text }]
}

/** Removes invisible blanks at the end, which cost Ink as much as letters; keeps at most one. */
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

const PLAIN: TextProps = {}

/** Merges neighbours of the same style: each run of text costs a node of React and of Ink. */
function mergeSpans(spans: readonly TextSpan[], theme: Theme) {
  const runs: { readonly text: string; readonly style: TextProps }[] = []
  const colours = coloursIn(theme)
  let last = ''
  for (const span of spans) {
    const tone = colours === null ? undefined : span.tone
    const style = `${tone ?? ''} ${span.bold === true} ${span.dim === true} ${span.inverse === true}`
    const before = runs.at(-1)
    if (before !== undefined && style === last) {
      runs[runs.length - 1] = { ...before, text: before.text + span.text }
    } else {
      runs.push({ text: span.text, style: textProps(span, tone && colours?.[tone]) })
    }
    last = style
  }
  return runs
}

function textProps({ bold, dim, inverse }: TextSpan, colour: string | undefined): TextProps {
  if (colour === undefined && bold !== true && dim !== true && inverse !== true) return PLAIN
  return {
    ...(colour !== undefined && { color: colour }),
    ...(bold === true && { bold }),
    ...(dim === true && { dimColor: true }),
    ...(inverse === true && { inverse }),
  }
}
