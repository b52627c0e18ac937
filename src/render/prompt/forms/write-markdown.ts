import { identityMemo } from '../../../kernel/identity-memo.ts'
import { SECTION_PREFIX, SECTION_TITLE } from '../document/new-section.ts'
import type { PromptBlock, PromptItem, PromptSection } from '../document/prompt-document.ts'

const headCache = identityMemo<string>()

/**
 * Writes a section as Markdown: its heading, its blocks, its children one level deeper. Ends with an
 * empty line, so documents are built by joining the texts of sections.
 *
 * Foreign bodies are fenced. A section that starts with a body that needs no fence has no heading
 * either: an agent's prompt reads as its author wrote it.
 */
export function writeMarkdown(section: PromptSection, depth = 2): string {
  const children = section.children.map((child) => writeMarkdown(child, depth + 1))
  return markdownHead(section, depth) + children.join('')
}

/** Writes a section without its children. */
export function markdownHead(section: PromptSection, depth = 2): string {
  return headCache([section], `${depth}`, () => {
    const { title, blocks } = section
    const [first] = blocks
    const bare = first?.kind === 'body' && first.plain && isPlainMarkdown(first.text)
    let text = bare ? '' : `${'#'.repeat(depth)} ${title}\n\n`
    for (const block of blocks) {
      text += `${bare && block === first ? first.text : writeBlock(block)}\n\n`
    }
    return text
  })
}

function writeBlock(block: PromptBlock): string {
  switch (block.kind) {
    case 'prose':
      return block.text
    case 'body':
      return fence(block.text)
    case 'facts':
      return block.facts.map(({ label, value }) => `- ${label}: ${value}`).join('\n')
    case 'items':
      return block.items.map(markdownItem).join('\n')
  }
}

/** Writes one item of a list, with its facts on the lines below. */
export function markdownItem(item: PromptItem): string {
  const lines = item.facts.map(({ label, value }) => `\n  - ${label}: ${value}`)
  return `- ${codeSpan(item.name)}${itemTail(item)}${lines.join('')}`
}

/** The text of an item after its name: its marks and its summary. */
export function itemTail({ marks, summary }: Pick<PromptItem, 'marks' | 'summary'>): string {
  return (marks.length === 0 ? '' : ` (${marks.join(', ')})`) + (summary && `: ${summary}`)
}

/** Writes a name as inline code, even one that contains backticks. */
export function codeSpan(name: string): string {
  let longest = 0
  for (const [run] of name.matchAll(/`+/gv)) longest = Math.max(longest, run.length)
  const mark = '`'.repeat(longest + 1)
  const space = name.startsWith('`') || name.endsWith('`') ? ' ' : ''
  return mark + space + name + space + mark
}

/** Fences Markdown so that nothing inside can close the fence: it is longer than any run inside. */
function fence(body: string): string {
  let longest = 2
  for (const [run] of body.matchAll(/[`~]{3,}/gv)) longest = Math.max(longest, run.length)
  const mark = '`'.repeat(longest + 1)
  return `${mark}markdown\n${body}\n${mark}`
}

/**
 * Returns true when foreign Markdown is safe without a fence: no line can be mistaken for a heading
 * of the document, and no construct in it swallows the text after it.
 *
 * A line with the words of one of our headings counts in any style (`#`, underlined, bold, quoted,
 * other case, full-width letters), even when the document does not have that heading now: the answer
 * must not change when a skill is activated, or the cached prefix would be lost.
 */
export function isPlainMarkdown(body: string): boolean {
  const lines = body.split('\n')
  const marked = lines.filter((line) => FENCE_MARK.test(line))
  return (
    !lines.some(readsAsHeading) &&
    !endsInFence(marked, FENCE_LINE) &&
    !endsInFence(marked, NESTED_FENCE_LINE) &&
    !endsInHtml(body)
  )
}

/** Characters that may surround the words of a heading. */
const HEADING_MARKS = new Set(' \t#>*_+-=~:`|')

const TITLES: ReadonlySet<string> = new Set(Object.values(SECTION_TITLE).map(bareHeading))

const PREFIXES: readonly string[] = Object.values(SECTION_PREFIX).map(bareHeading)

/** Matches a letter, or a character that normalisation may turn into one: no ASCII sign or blank. */
const HAS_LETTER = /[^\s!-@\[-`\{-~]/v

function readsAsHeading(line: string): boolean {
  if (!HAS_LETTER.test(line)) return false
  const text = bareHeading(line)
  // A prefix, which `bareHeading` left without its colon, comes before any name.
  return (
    TITLES.has(text) ||
    PREFIXES.some(
      (one) => text === one || text.startsWith(`${one}:`) || text.startsWith(`${one} :`),
    )
  )
}

/** Strips the characters around a heading and normalises its case and its letters. */
function bareHeading(line: string): string {
  const text = line.normalize('NFKC').toLowerCase()
  let start = 0
  let end = text.length
  while (start < end && HEADING_MARKS.has(text.charAt(start))) start += 1
  while (end > start && HEADING_MARKS.has(text.charAt(end - 1))) end -= 1
  return text.slice(start, end).replaceAll(/\s+/gv, ' ')
}

/** The openings of raw HTML that empty lines do not end, each with its ending. */
const HTML = [
  ['<!--', '-->'],
  ['<![cdata[', ']]>'],
  ['<?', '?>'],
  ...['pre', 'script', 'style', 'textarea'].map((tag) => [`<${tag}`, `</${tag}>`] as const),
] as const

function endsInHtml(body: string): boolean {
  const text = body.toLowerCase()
  return HTML.some(([start, end]) => text.lastIndexOf(start) > text.lastIndexOf(end))
}

/** Matches only in lines with a fence. */
const FENCE_MARK = /`{3}|~{3}/v

/**
 * A line that opens or closes a fence: its marks and the rest of the line. The flag `s` lets the dot
 * match U+2028; otherwise the pattern would backtrack over the marks.
 */
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})(.*)$/sv

/** The same inside lists and quotes, as a lenient parser would read it. */
const NESTED_FENCE_LINE = /^[\s>*+\-]*(`{3,}|~{3,})(.*)$/sv

function endsInFence(lines: readonly string[], pattern: RegExp): boolean {
  let open: string | null = null
  for (const line of lines) {
    const [, mark = '', rest = ''] = pattern.exec(line) ?? []
    if (mark === '') continue
    if (open === null) {
      if (mark.startsWith('~') || !rest.includes('`')) open = mark
    } else if (mark[0] === open[0] && mark.length >= open.length && rest.trim() === '') {
      open = null
    }
  }
  return open !== null
}
