import { graphemes } from '../../kernel/graphemes.ts'

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
