/** A part of a text, from its first character to the one after its last. */
export type TextRange = readonly [start: number, end: number]

/**
 * Finds the code of a Markdown text, in order: blocks between fences, with their fences, and spans between backquotes.
 * A block without an end goes to the end of the text; a span ends in its paragraph. Indented blocks are not found.
 */
export function markdownCode(text: string): readonly TextRange[] {
  const ranges: TextRange[] = []
  let paragraph = 0
  let fence: { readonly mark: string; readonly start: number } | null = null
  for (let at = 0; at < text.length;) {
    const line = /[^\n]*\n?/y
    line.lastIndex = at
    const [written = ''] = line.exec(text) ?? []
    const end = at + written.length
    const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(written) ?? []
    if (fence !== null) {
      if (mark.startsWith(fence.mark) && info.trim() === '') {
        ranges.push([fence.start, end])
        fence = null
        paragraph = end
      }
    } else if (mark !== '' || written.trim() === '') {
      ranges.push(...codeSpans(text, paragraph, at))
      paragraph = end
      if (mark !== '') fence = { mark, start: at }
    }
    at = end
  }
  if (fence !== null) return [...ranges, [fence.start, text.length]]
  return [...ranges, ...codeSpans(text, paragraph, text.length)]
}

/** Finds the code spans of a paragraph: each ends at as many backquotes as it starts with. */
function codeSpans(text: string, start: number, end: number): readonly TextRange[] {
  const marks = [...text.slice(start, end).matchAll(/`+/g)]
  const latest = new Map<number, number>()
  const closes = marks.map(() => -1)
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const length = marks[index]?.[0].length ?? 0
    closes[index] = latest.get(length) ?? -1
    latest.set(length, index)
  }
  const ranges: TextRange[] = []
  for (let index = 0; index < marks.length; index += 1) {
    const [mark, close] = [marks[index], marks[closes[index] ?? -1]]
    if (mark === undefined || close === undefined) continue
    ranges.push([start + mark.index, start + close.index + close[0].length])
    index = closes[index] ?? index
  }
  return ranges
}

/** Returns a function that says whether a place is in one of some ranges. Places have to be asked in order. */
export function inRanges(ranges: readonly TextRange[]): (place: number) => boolean {
  let next = 0
  return (place) => {
    while ((ranges[next]?.[1] ?? Infinity) <= place) next += 1
    return (ranges[next]?.[0] ?? Infinity) <= place
  }
}
