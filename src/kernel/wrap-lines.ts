import { displayWidth, graphemes } from './display-width.ts'

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
