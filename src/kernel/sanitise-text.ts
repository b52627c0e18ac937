import { findHidden } from './find-hidden.ts'

/**
 * Make text from elsewhere safe to show to a model and to print on a terminal.
 *
 * What `findHidden` finds is shown as `<U+202E>` and never passed on, so both readers see the
 * same. A byte order mark at the start is dropped; CRLF and CR become `\n`. Doing it twice is
 * the same as doing it once. Apply it where text is rendered: hashes are over the text as it was.
 */
export function sanitiseText(text: string): string {
  const hidden = findHidden(text)
  let shown = ''
  let from = text.startsWith('\uFEFF') ? 1 : 0
  for (const { codePoint, index } of hidden) {
    shown += text.slice(from, index) + markOf(codePoint)
    from = index + (codePoint > 0xffff ? 2 : 1)
  }
  shown += text.slice(from)
  return shown.includes('\r') ? shown.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : shown
}

const marks = new Map<number, string>()

/** One text for each character, however often it is shown. */
function markOf(codePoint: number): string {
  const known = marks.get(codePoint)
  if (known !== undefined) return known
  const mark = `<U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}>`
  marks.set(codePoint, mark)
  return mark
}
