import stringWidth from 'string-width'

/** Code units. A longer line is measured letter by letter, a shorter one in one call. */
const SHORT = 1024

/** Code units. Widths of texts up to this length are cached: letters and short words. */
const BRIEF = 16

/** The size of the cache. A full cache is cleared. */
const MAX_CACHED = 4096

const widths = new Map<string, number>()

/** Returns the columns a line takes on a terminal: two for wide letters and emoji, none for combining marks. */
export function displayWidth(line: string): number {
  if (isPlain(line)) return line.length
  if (line.length <= BRIEF) return cachedWidth(line)
  if (line.length <= SHORT) return stringWidth(line)
  return graphemes(line).reduce((width, letter) => width + displayWidth(letter), 0)
}

/**
 * Matches a text whose code units are all letters of one column: printable ASCII, Latin, and the punctuation, arrows,
 * frames and marks with which screens are drawn. Most lines match. None of its letters joins with a neighbour.
 */
export const ONE_COLUMN_LETTERS =
  /^[ -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u22FF\u2500-\u25FC\u26A0\u2702\u270E\u2713\u2717\u276F]*$/v

function isPlain(line: string): boolean {
  return ONE_COLUMN_LETTERS.test(line)
}

/** Measures a short text once: measuring takes microseconds, and texts repeat few letters. */
function cachedWidth(text: string): number {
  const known = widths.get(text)
  if (known !== undefined) return known
  const width = stringWidth(text)
  if (widths.size >= MAX_CACHED) widths.clear()
  widths.set(text, width)
  return width
}

/** Returns the line, or the start of it that fits before an ellipsis. Letters are never cut in half. */
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

/** Pads a line with spaces to a number of columns. A wider line is returned unchanged. */
export function padToWidth(
  line: string,
  columns: number,
  align: 'left' | 'centre' = 'left',
): string {
  const spaces = Math.max(0, columns - displayWidth(line))
  const before = align === 'centre' ? Math.floor(spaces / 2) : 0
  return ' '.repeat(before) + line + ' '.repeat(spaces - before)
}

/** Code units that are split in one step. */
const PIECE = 256

const segmenter = new Intl.Segmenter()

/**
 * Yields the letters of a text as readers count them: an accent belongs to its letter, and a family
 * is one emoji. The text is split piece by piece, because the platform's segmenter looks back to the
 * start of a run of flags and takes seconds for a long run.
 */
export function* graphemes(text: string): Generator<string, void> {
  let from = 0
  while (from < text.length) {
    // The first half of a pair belongs to the second.
    const last = text.charCodeAt(from + PIECE - 1)
    const end = from + PIECE - (last >= 0xd800 && last <= 0xdbff ? 1 : 0)
    const found = [...segmenter.segment(text.slice(from, end))]
    // The last letter may continue after the piece.
    if (end < text.length && found.length > 1) found.pop()
    for (const { segment } of found) yield segment
    from += found.reduce((sum, { segment }) => sum + segment.length, 0)
  }
}

const TAB = '    '

/**
 * Wraps a text into lines of at most `columns` columns. Wrapped lines keep the indentation of their
 * line; from the second on they are indented by `hang` more. A word that does not fit is cut.
 *
 * Takes time linear in the text, unlike the usual libraries, even for one line of a hundred thousand
 * wide letters.
 */
export function wrapLines(text: string, columns: number, hang = 0): string[] {
  return text.split('\n').flatMap((line) => {
    const spread = line.replaceAll('\t', TAB).trimEnd()
    const words = spread.trimStart()
    const indent = Math.min(spread.length - words.length, columns >> 1)
    const [first = '', ...rest] = wrapWords(words, columns - indent, hang)
    return [first, ...rest.map((part) => ' '.repeat(hang) + part)].map(
      (part) => ' '.repeat(indent) + part,
    )
  })
}

/** Lines of at most `columns` columns; from the second on, `hang` columns less. */
function wrapWords(words: string, columns: number, hang: number): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  const room = () => columns - (lines.length === 0 ? 0 : hang)
  const endLine = () => {
    lines.push(line.trimEnd())
    line = ''
    width = 0
  }
  const add = (text: string, textWidth: number) => {
    line += text
    width += textWidth
  }
  for (const word of words.split(' ')) {
    const wordWidth = displayWidth(word)
    if (width > 0 && width + 1 + Math.min(wordWidth, 1) > room()) endLine()
    if (width > 0) add(' ', 1)
    if (width + wordWidth <= room()) {
      add(word, wordWidth)
      continue
    }
    if (wordWidth <= columns - hang) {
      endLine()
      add(word, wordWidth)
      continue
    }
    for (const letter of graphemes(word)) {
      const letterWidth = displayWidth(letter)
      if (width > 0 && width + letterWidth > room()) endLine()
      add(letter, letterWidth)
    }
  }
  endLine()
  return lines
}
