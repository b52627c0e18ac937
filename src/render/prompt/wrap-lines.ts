import wrapAnsi from 'wrap-ansi'
import { displayWidth } from '../../kernel/display-width.ts'

const TAB = '    '

/**
 * The lines of a text, each at most so many columns wide. A line keeps its indentation on every
 * line it is wrapped to, and `hang` more from the second on; a word that does not fit is cut.
 */
export function wrapLines(text: string, columns: number, hang = 0): string[] {
  return text.split('\n').flatMap((line) => {
    const spread = line.replaceAll('\t', TAB).trimEnd()
    const words = spread.trimStart()
    const indent = Math.min(spread.length - words.length, columns >> 1)
    if (displayWidth(words) + indent <= columns) return [' '.repeat(indent) + words]
    return wrapAnsi(words, columns - indent - hang, { hard: true })
      .split('\n')
      .map((part, index) => ' '.repeat(indent + (index === 0 ? 0 : hang)) + part)
  })
}
