/** A link of a Markdown text to a file, or a file of the skill that it names in code. */
export interface MarkdownLink {
  /** The path as it was written, without `#…` and `?…`, decoded. */
  readonly target: string
  /** Counted from 1 in the given text. */
  readonly line: number
  readonly column: number
  readonly kind: 'link' | 'mention'
}

/** Longer ones are no paths, and looking on would take time that grows with the square. */
const MAX_TARGET = 300

/** A folder of the specification and a file in it, in a code span. */
const MENTION = /`(?:\.\/)?((?:scripts|references|assets)\/[\w./-]{1,200}\.\w{1,8})`/g

/**
 * The relative links of a Markdown text, and files of `scripts`, `references` and `assets` that
 * it names in code spans. Fenced code is left out, addresses, anchors and placeholders, too.
 */
export function markdownLinks(text: string): readonly MarkdownLink[] {
  const links: MarkdownLink[] = []
  let fence: string | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== null) {
      if (mark.startsWith(fence)) fence = null
      continue
    }
    if (mark !== '') {
      fence = mark
      continue
    }
    for (const { 1: target = '', index: at } of line.matchAll(MENTION)) {
      links.push({ target, line: index + 1, column: at + 2, kind: 'mention' })
    }
    for (const { written, column } of targetsOf(withoutCode(line))) {
      const target = pathOf(written)
      if (target !== null) links.push({ target, line: index + 1, column, kind: 'link' })
    }
  }
  return links
}

function* targetsOf(line: string) {
  for (let at = line.indexOf(']('); at >= 0; at = line.indexOf('](', at + 2)) {
    yield targetAt(line, at + 2)
  }
  const reference = /^ {0,3}\[[^\]]+\]:\s*/.exec(line)?.[0]
  if (reference !== undefined) yield targetAt(line, reference.length)
}

/** A target ends at a space or a bracket; in angle brackets it may hold both. */
function targetAt(line: string, at: number) {
  const isBracketed = line[at] === '<'
  const start = isBracketed ? at + 1 : at
  const end = isBracketed ? '>' : /[\s)]/
  const [written = ''] = line.slice(start, start + MAX_TARGET).split(end, 1)
  return { written, column: start + 1 }
}

/** Code spans blanked, so that columns stay. */
function withoutCode(line: string): string {
  return line.replaceAll(/`[^`]*`/g, (span) => ' '.repeat(span.length))
}

/** The relative path that a target means; null for an address, an anchor or a placeholder. */
function pathOf(written: string): string | null {
  const [path = ''] = written.split(/[#?]/, 1)
  if (path === '' || path.length >= MAX_TARGET) return null
  if (/^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(path)) return null
  if (/[{}<>$*|]|\.\.\./.test(path)) return null
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
