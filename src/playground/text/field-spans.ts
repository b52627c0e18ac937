import { displayWidth } from '../../kernel/display-width.ts'
import { graphemes } from '../../kernel/graphemes.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { Span } from '../../render/ink/parts/line.tsx'
import type { Theme } from '../../render/ink/parts/theme.ts'
import type { TextField } from './text-field.ts'

/**
 * A field as it is typed into, the part around the cursor. The cursor is the letter drawn the
 * other way round, and a bar before it where there are no colours to do that.
 */
export function fieldSpans({ text, cursor }: TextField, width: number, theme: Theme): Span[] {
  const [at = ' ', ...after] = graphemes(text.slice(cursor))
  const behind = after.join('')
  // Room for the cursor, a wide letter under it, and the mark of what is left out.
  const room = Math.max(0, width - 4 - Math.min(displayWidth(behind), Math.floor(width / 4)))
  const before = lastColumns(text.slice(0, cursor), room, theme)
  return [
    { text: before },
    ...(theme.colour ? [{ text: at, inverse: true }] : [{ text: `|${at}` }]),
    { text: behind },
  ]
}

/** The end of a line that fits, with an ellipsis before it when that is not all. */
function lastColumns(line: string, columns: number, { ascii }: Theme): string {
  const letters = [...graphemes(line)]
  let width = 0
  let from = letters.length
  while (from > 0) {
    width += displayWidth(shown(letters[from - 1] ?? ''))
    if (width > columns) return (ascii ? '~' : '…') + letters.slice(from).join('')
    from -= 1
  }
  return line
}

/** A letter as it is drawn: hidden ones are shown by their number. */
function shown(letter: string): string {
  return letter === ' ' ? letter : sanitiseLine(letter)
}
