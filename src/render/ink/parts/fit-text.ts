import { displayWidth, padToWidth, truncateToWidth } from '../../../kernel/display-width.ts'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import { glyphsOf } from './glyphs.ts'
import { DEFAULT_THEME, type Theme } from './theme.ts'

/**
 * Text from anywhere as one safe line of exactly so many columns; an ellipsis where it was cut.
 * A cut before a wide letter leaves a column, which a space fills.
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

/** Text from anywhere as one safe line of at most so many columns. */
export function cutText(text: string, columns: number, theme: Theme = DEFAULT_THEME): string {
  return cutLine(sanitiseLine(text), columns, theme)
}

/** A line that is safe already, blanks at its ends kept, as one of at most so many columns. */
export function cutLine(line: string, columns: number, theme: Theme): string {
  const cut = truncateToWidth(line, columns)
  if (!theme.ascii || cut === line || cut === '') return cut
  return cut.slice(0, -1) + glyphsOf(theme).ellipsis
}
