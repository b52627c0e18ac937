/** The first paragraph of prose in a Markdown text, on one line; empty when there is none. */
export function firstParagraph(markdown: string): string {
  const lines: string[] = []
  let fence = ''
  for (const raw of markdown.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const mark = line.slice(0, 3)
    if (fence !== '') {
      if (mark === fence) fence = ''
    } else if (mark === '```' || mark === '~~~') {
      fence = mark
    } else if (line === '' || line.startsWith('#')) {
      if (lines.length > 0) break
    } else {
      lines.push(line)
    }
  }
  return lines.join(' ')
}
