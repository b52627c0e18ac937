import stringWidth from 'string-width'

/** Columns a line takes on a terminal: wide letters and emoji take two, combining marks none. */
export function displayWidth(line: string): number {
  return stringWidth(line)
}

/** The line, or as much of its start as fits before an ellipsis; no letter is cut in half. */
export function truncateToWidth(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line
  if (columns <= 0) return ''
  let kept = ''
  let width = 1
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    width += displayWidth(segment)
    if (width > columns) break
    kept += segment
  }
  return `${kept}…`
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
