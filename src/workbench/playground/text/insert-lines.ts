import type { TextSpan, Theme } from '../../../entries/ink-views.ts'
import { fieldSpans, type TextField } from './text-field.ts'

/** Inserts a text at the cursor of a field of several lines. */
export function insertLines({ text, cursor }: TextField, typed: string): TextField {
  const lines = typed.replaceAll(/\r\n?/gv, '\n')
  return { text: text.slice(0, cursor) + lines + text.slice(cursor), cursor: cursor + lines.length }
}

/** Moves the cursor to the line above or below; null where there is none. */
export function moveLine({ text, cursor }: TextField, by: -1 | 1): TextField | null {
  const start = lineStart(text, cursor)
  const next = text.indexOf('\n', cursor)
  if (by < 0 ? start === 0 : next < 0) return null
  const to = by < 0 ? lineStart(text, start - 1) : next + 1
  const end = text.indexOf('\n', to)
  return { text, cursor: Math.min(to + cursor - start, end < 0 ? text.length : end) }
}

/** Returns the place at which the line of a place begins. */
function lineStart(text: string, at: number): number {
  return text.slice(0, at).lastIndexOf('\n') + 1
}

/** Draws the lines of a field around its cursor, at most some of them. */
export function messageLines(
  { text, cursor }: TextField,
  { width, most, theme }: { readonly width: number; readonly most: number; readonly theme: Theme },
): readonly (readonly TextSpan[])[] {
  const lines = text.split('\n')
  const at = text.slice(0, cursor).split('\n').length - 1
  const column = cursor - lineStart(text, cursor)
  const first = Math.max(0, Math.min(at - most + 1, lines.length - most))
  return lines
    .slice(first, first + most)
    .map((line, place) =>
      first + place === at
        ? fieldSpans({ text: line, cursor: column }, width, theme)
        : [{ text: line }],
    )
}
