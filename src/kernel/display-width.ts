import stringWidth from 'string-width'

/** Code units up to which a line is measured at once; longer ones letter by letter. */
const SHORT = 1024

/** Code units up to which a width is kept: letters, and words of a few of them. */
const BRIEF = 16

/** Widths kept at most; then they are found anew. */
const MOST_KEPT = 4096

const kept = new Map<string, number>()

/** Columns a line takes on a terminal: wide letters and emoji take two, combining marks none. */
export function displayWidth(line: string): number {
  if (isPlain(line)) return line.length
  if (line.length <= BRIEF) return briefWidth(line)
  if (line.length <= SHORT) return stringWidth(line)
  return graphemes(line).reduce((width, letter) => width + displayWidth(letter), 0)
}

/** Most lines are ASCII, where a letter is a code unit and a column. */
function isPlain(line: string): boolean {
  return /^[ -~]*$/v.test(line)
}

/** Measuring takes microseconds, and texts are made of few letters. */
function briefWidth(text: string): number {
  const known = kept.get(text)
  if (known !== undefined) return known
  const width = stringWidth(text)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(text, width)
  return width
}

/** The line, or as much of its start as fits before an ellipsis; no letter is cut in half. */
export function truncateToWidth(line: string, columns: number): string {
  if (isPlain(line)) {
    if (line.length <= columns) return line
    return columns <= 0 ? '' : `${line.slice(0, columns - 1)}…`
  }
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

/** Code units that are split at a time. */
const PIECE = 256

const segmenter = new Intl.Segmenter()

/**
 * The letters of a text as its readers count them: an accent belongs to its letter, a family is
 * one emoji. Splits piece by piece, because the splitter of the platform looks back to the start
 * of a run of flags, and takes seconds for a long one.
 */
export function* graphemes(text: string): Generator<string, void> {
  let from = 0
  while (from < text.length) {
    const end = from + PIECE - (isFirstHalf(text, from + PIECE - 1) ? 1 : 0)
    const found = [...segmenter.segment(text.slice(from, end))]
    // The last one may go on behind the piece.
    if (end < text.length && found.length > 1) found.pop()
    for (const { segment } of found) yield segment
    from += found.reduce((sum, { segment }) => sum + segment.length, 0)
  }
}

function isFirstHalf(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xd800 && unit <= 0xdbff
}
