import {
  displayWidth,
  padToWidth,
  truncateToWidth,
  wrapLines,
} from '../../../kernel/display-width.ts'
import { sanitiseLine, sanitiseText } from '../../../kernel/sanitise-text.ts'
import { DEFAULT_THEME, glyphsOf, type Theme } from './theme.ts'

/**
 * Untrusted text as one safe line of exactly `columns` columns, with an ellipsis where it was cut.
 * A cut before a wide letter leaves one column, which a space fills.
 */
export function fitText(
  text: string,
  columns: number,
  theme: Theme = DEFAULT_THEME,
  align: 'left' | 'right' = 'left',
): string {
  const cut = cutText(text, columns, theme)
  if (align === 'left') return padToWidth(cut, columns)
  return ' '.repeat(Math.max(0, columns - displayWidth(cut))) + cut
}

/** Untrusted text as one safe line of at most `columns` columns. */
export function cutText(text: string, columns: number, theme: Theme = DEFAULT_THEME): string {
  return cutLine(sanitiseLine(text), columns, theme)
}

/** Cuts a line that is already safe to at most `columns` columns; blanks at its ends are kept. */
export function cutLine(line: string, columns: number, theme: Theme): string {
  const cut = truncateToWidth(line, columns)
  if (!theme.ascii || cut === line || cut === '') return cut
  return cut.slice(0, -1) + glyphsOf(theme).ellipsis
}

/** Texts cached per width: enough for the sections of a few prompts. */
const MOST_WRAPPED = 256

const wrappedCache = new Map<number, Map<string, readonly string[]>>()

/**
 * Untrusted text as lines of at most `columns` columns, safe to draw. Results are cached, so folding
 * a section or searching wraps nothing again, and a changed prompt wraps only its changed sections.
 */
export function wrappedText(text: string, columns: number): readonly string[] {
  const known = wrappedCache.get(columns)?.get(text)
  if (known !== undefined) return known
  const lines = wrapLines(sanitiseText(text).trimEnd(), columns)
  const texts = wrappedCache.get(columns) ?? new Map<string, readonly string[]>()
  if (texts.size >= MOST_WRAPPED) texts.clear()
  texts.set(text, lines)
  // After the screen was resized, lines of earlier widths are of no use.
  if (!wrappedCache.has(columns) && wrappedCache.size >= 4) wrappedCache.clear()
  wrappedCache.set(columns, texts)
  return lines
}
