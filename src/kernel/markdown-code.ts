/** A part of a text, from its first character to the one after its last. */
type TextRange = readonly [start: number, end: number]

/**
 * Returns a function that says whether a place of a Markdown text is in code: a block between fences, with its fences, or a
 * span between backquotes. A block without an end goes to the end of the text; a span ends in its paragraph. Indented
 * blocks are not found. Places have to be asked in order.
 */
export function markdownCode(text: string): (place: number) => boolean {
  const ranges = codeRanges(text)
  let next = 0
  return (place) => {
    while ((ranges[next]?.[1] ?? Infinity) <= place) next += 1
    return (ranges[next]?.[0] ?? Infinity) <= place
  }
}

function codeRanges(text: string): readonly TextRange[] {
  const ranges: TextRange[] = []
  let paragraph = 0
  let fence: { readonly mark: string; readonly start: number } | null = null
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at) + 1 || text.length
    const written = text.slice(at, end)
    const [, sign = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(written) ?? []
    // Backquotes on the line make it a span.
    const mark = sign.startsWith('`') && info.includes('`') ? '' : sign
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
