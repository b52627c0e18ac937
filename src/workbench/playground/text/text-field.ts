import type { TextSpan, Theme } from '../../../entries/ink-views.ts'
import { displayWidth, graphemes, sanitiseLine } from '../../../entries/kit.ts'

/** The text of a one-line field, and its cursor. */
export interface TextField {
  readonly text: string
  /** In UTF-16 code units. */
  readonly cursor: number
}

/** Inserts a text at the cursor. Line breaks become spaces: the field has one line. */
export function insertText({ text, cursor }: TextField, typed: string): TextField {
  const line = typed.replaceAll(/[\r\n]+/gv, ' ')
  return { text: text.slice(0, cursor) + line + text.slice(cursor), cursor: cursor + line.length }
}

/** Moves the cursor by one grapheme. */
export function moveCursor({ text, cursor }: TextField, by: -1 | 1): TextField {
  return { text, cursor: by < 0 ? letterBefore(text, cursor) : letterAfter(text, cursor) }
}

/** Deletes the grapheme before the cursor. */
export function deleteBefore({ text, cursor }: TextField): TextField {
  const from = letterBefore(text, cursor)
  return { text: text.slice(0, from) + text.slice(cursor), cursor: from }
}

/** Deletes the grapheme at the cursor. */
export function deleteAfter({ text, cursor }: TextField): TextField {
  return { text: text.slice(0, cursor) + text.slice(letterAfter(text, cursor)), cursor }
}

/** Removes the last grapheme of a text. */
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
 * Draws the part of a field around its cursor. The letter at the cursor is in inverse colours, or has
 * a bar before it in a theme without colours.
 */
export function fieldSpans({ text, cursor }: TextField, width: number, theme: Theme): TextSpan[] {
  const [at = ' ', ...after] = graphemes(text.slice(cursor))
  const behind = after.join('')
  // Room for the cursor, a wide letter under it, and the ellipsis.
  const room = Math.max(0, width - 4 - Math.min(displayWidth(behind), Math.floor(width / 4)))
  const before = lastColumns(text.slice(0, cursor), room, theme)
  return [
    { text: before },
    ...(theme.colour ? [{ text: at, inverse: true }] : [{ text: `|${at}` }]),
    { text: behind },
  ]
}

/** The end of a line that fits, after an ellipsis when the line is longer. */
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

/** Makes a letter visible: control characters are shown by their code. */
function shown(letter: string): string {
  return letter === ' ' ? letter : sanitiseLine(letter)
}
