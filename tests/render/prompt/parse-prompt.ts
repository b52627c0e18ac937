/** A section parsed from a rendered prompt. */
export interface ParsedSection {
  readonly title: string
  readonly bodies: string[]
  readonly children: ParsedSection[]
}

/**
 * Parses a prompt in Markdown, knowing only the titles of its sections. Text before the first heading
 * is the agent's prompt, without a fence.
 */
export function parseMarkdown(text: string, titles: readonly string[]): ParsedSection[] {
  const headings = new Set(titles.map((title) => `## ${title}`))
  const lines = text.split('\n')
  const start = lines.findIndex((line) => headings.has(line))
  const before = lines
    .slice(0, start === -1 ? undefined : start)
    .join('\n')
    .trimEnd()
  const sections: ParsedSection[] = []
  if (before !== '') sections.push({ title: 'Agent prompt', bodies: [before], children: [] })
  let body: { mark: string; lines: string[] } | null = null
  const innermost = () => sections.at(-1)?.children.at(-1) ?? sections.at(-1)
  for (const line of start === -1 ? [] : lines.slice(start)) {
    if (body !== null) {
      if (line === body.mark) {
        innermost()?.bodies.push(body.lines.join('\n'))
        body = null
      } else body.lines.push(line)
    } else if (/^`{3,}markdown$/v.test(line)) {
      body = { mark: line.replace('markdown', ''), lines: [] }
    } else if (line.startsWith('## ')) {
      sections.push({ title: line.slice(3), bodies: [], children: [] })
    } else if (line.startsWith('### ')) {
      sections.at(-1)?.children.push({ title: line.slice(4), bodies: [], children: [] })
    }
  }
  if (body !== null) throw new Error('A fence is open at the end.')
  return sections
}

/** Read a prompt in XML back. */
export function parseXml(text: string): ParsedSection[] {
  const root: ParsedSection = { title: '', bodies: [], children: [] }
  const path = [root]
  let body: string | null = null
  for (const [token] of text.matchAll(/<[^>]*>|[^<]+/gv)) {
    const here = path.at(-1) ?? root
    if (token.startsWith('<section ')) {
      const title = unescape(/ title="([^"]*)"/v.exec(token)?.[1] ?? '')
      const section = { title, bodies: [], children: [] }
      here.children.push(section)
      path.push(section)
    } else if (token === '</section>') path.pop()
    else if (token === '<body>') body = ''
    else if (token === '</body>') {
      here.bodies.push(unescape(body ?? ''))
      body = null
    } else if (body !== null) body += token
  }
  if (path.length !== 1) throw new Error('Sections are not closed.')
  return root.children
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
