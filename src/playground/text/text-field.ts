import { displayWidth, graphemes } from '../../kernel/display-width.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { TextSpan } from '../../render/ink/parts/line.tsx'
import type { Theme } from '../../render/ink/parts/theme.ts'

/** One line of text that is typed, and where in it, in UTF-16 code units. */
export interface TextField {
  readonly text: string
  readonly cursor: number
}

/** Type a text where the cursor is. Line breaks become spaces: the field is one line. */
export function insertText({ text, cursor }: TextField, typed: string): TextField {
  const line = typed.replaceAll(/[\r\n]+/gv, ' ')
  return { text: text.slice(0, cursor) + line + text.slice(cursor), cursor: cursor + line.length }
}

/** Move by whole letters, as readers count them. */
export function moveCursor({ text, cursor }: TextField, by: -1 | 1): TextField {
  return { text, cursor: by < 0 ? letterBefore(text, cursor) : letterAfter(text, cursor) }
}

/** Delete the letter before the cursor. */
export function deleteBefore({ text, cursor }: TextField): TextField {
  const from = letterBefore(text, cursor)
  return { text: text.slice(0, from) + text.slice(cursor), cursor: from }
}

/** Delete the letter the cursor is on. */
export function deleteAfter({ text, cursor }: TextField): TextField {
  return { text: text.slice(0, cursor) + text.slice(letterAfter(text, cursor)), cursor }
}

/** The text without its last letter, as a reader counts letters. */
export function withoutLastLetter(text: string): string {
  return deleteBefore({ text, cursor: text.length }).text
}

function letterBefore(text: string, cursor: number): number {
  const last = [...graphemes(text.slice(0, cursor))].at(-1) ?? ''
  return cursor - last.length
}

function letterAfter(text: string, cursor: number): number {
  const [next = ''] = graphemes(text.slice(cursor))
  return cursor + next.length
}

/**
 * A field as it is typed into, the part around the cursor. The cursor is the letter drawn the
 * other way round, and a bar before it where there are no colours to do that.
 */
export function fieldSpans({ text, cursor }: TextField, width: number, theme: Theme): TextSpan[] {
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
