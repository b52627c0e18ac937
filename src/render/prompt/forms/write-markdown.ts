import { identityMemo } from '../../../kernel/identity-memo.ts'
import { SECTION_PREFIX, SECTION_TITLE } from '../document/new-section.ts'
import type { PromptBlock, PromptItem, PromptSection } from '../document/prompt-document.ts'

const headCache = identityMemo<string>()

/**
 * A section in Markdown: a heading of ours, its blocks, its children one level deeper. Ends with
 * an empty line, so sections are put together by joining their texts.
 *
 * Bodies of others are fenced. A section that begins with a body that may go without a fence goes
 * without a heading too: an agent's prompt reads as its author wrote it.
 */
export function writeMarkdown(section: PromptSection, depth = 2): string {
  const children = section.children.map((child) => writeMarkdown(child, depth + 1))
  return markdownHead(section, depth) + children.join('')
}

/** The text of a section but for its children. */
export function markdownHead(section: PromptSection, depth = 2): string {
  return headCache([section], `${depth}`, () => {
    const { title, blocks } = section
    const [first] = blocks
    const bare = first?.kind === 'body' && first.plain && isPlainMarkdown(first.text)
    const heading = bare ? [] : [`${'#'.repeat(depth)} ${title}`]
    const texts = blocks.map((block) => (bare && block === first ? first.text : writeBlock(block)))
    return [...heading, ...texts].map((text) => `${text}\n\n`).join('')
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

/** One item of a list, with its facts on lines below it. */
export function markdownItem({ name, summary, marks, facts }: PromptItem): string {
  const remarks = marks.length === 0 ? '' : ` (${marks.join(', ')})`
  const rest = summary === '' ? '' : `: ${summary}`
  const lines = facts.map(({ label, value }) => `\n  - ${label}: ${value}`)
  return `- ${codeSpan(name)}${remarks}${rest}${lines.join('')}`
}

/** A name as inline code, whatever backticks it has. */
export function codeSpan(name: string): string {
  let longest = 0
  for (const [run] of name.matchAll(/`+/gv)) longest = Math.max(longest, run.length)
  const mark = '`'.repeat(longest + 1)
  const space = name.startsWith('`') || name.endsWith('`') ? ' ' : ''
  return mark + space + name + space + mark
}

/**
 * Markdown in a fence that nothing inside can close: longer than any run of backticks or tildes
 * in it, wherever it stands.
 */
function fence(body: string): string {
  let longest = 2
  for (const [run] of body.matchAll(/[`~]{3,}/gv)) longest = Math.max(longest, run.length)
  const mark = '`'.repeat(longest + 1)
  return `${mark}markdown\n${body}\n${mark}`
}

/**
 * Whether Markdown of somebody else can stand without a fence, because nothing in it can be taken
 * for a heading of the document and nothing in it swallows what comes after.
 *
 * A line that says one of our headings counts in any dress (`#`, underlined, bold, quoted, other
 * case, full-width letters), whether or not that heading is there now: the answer must not change
 * when a skill is loaded, or the cached prefix would.
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

/** What may stand around the words of a heading. */
const HEADING_MARKS = new Set(' \t#>*_+-=~:`|')

const TITLES: ReadonlySet<string> = new Set(Object.values(SECTION_TITLE).map(bareHeading))

const PREFIXES: readonly string[] = Object.values(SECTION_PREFIX).map(bareHeading)

/** What is not an ASCII sign or blank: a letter, or what may become one in another form. */
const HAS_LETTER = /[^\s!-@\[-`\{-~]/v

function readsAsHeading(line: string): boolean {
  if (!HAS_LETTER.test(line)) return false
  const text = bareHeading(line)
  return TITLES.has(text) || PREFIXES.some((prefix) => startsHeading(text, prefix))
}

/** A prefix lost its colon in `bare`, and the name that follows it may be any. */
function startsHeading(text: string, prefix: string): boolean {
  return text === prefix || text.startsWith(`${prefix}:`) || text.startsWith(`${prefix} :`)
}

/** A line without what may stand around a heading, in one case and one kind of letters. */
function bareHeading(line: string): string {
  const text = line.normalize('NFKC').toLowerCase()
  let start = 0
  let end = text.length
  while (start < end && HEADING_MARKS.has(text.charAt(start))) start += 1
  while (end > start && HEADING_MARKS.has(text.charAt(end - 1))) end -= 1
  return text.slice(start, end).replaceAll(/\s+/gv, ' ')
}

/** Raw HTML that runs on over empty lines, with what ends it. */
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

/** What only a line with a fence has. */
const FENCE_MARK = /`{3}|~{3}/v

/**
 * A line that opens or closes a fence: its marks, and what follows them, be it U+2028, at which a dot
 * that stops would go back over the marks.
 */
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})(.*)$/sv

/** The same inside lists and quotes, as a less careful reader would take it. */
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
