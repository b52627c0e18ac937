import stringWidth from 'string-width'
import { graphemes } from './graphemes.ts'

/** Code units up to which a line is measured at once; longer ones letter by letter. */
const SHORT = 1024

/** Columns a line takes on a terminal: wide letters and emoji take two, combining marks none. */
export function displayWidth(line: string): number {
  if (line.length <= SHORT) return stringWidth(line)
  return graphemes(line).reduce((width, letter) => width + stringWidth(letter), 0)
}

/** The line, or as much of its start as fits before an ellipsis; no letter is cut in half. */
export function truncateToWidth(line: string, columns: number): string {
  let kept = ''
  let width = 0
  for (const letter of graphemes(line)) {
    width += displayWidth(letter)
    if (width > columns) return columns <= 0 ? '' : `${kept}…`
    if (width < columns) kept += letter
  }
  return line
}

/** The line with spaces up to so many columns; one that is wider stays as it is. */
export function padToWidth(
  line: string,
  columns: number,
  align: 'left' | 'centre' = 'left',
): string {
  const spaces = Math.max(0, columns - displayWidth(line))
  const before = align === 'centre' ? Math.floor(spaces / 2) : 0
  return ' '.repeat(before) + line + ' '.repeat(spaces - before)
}
