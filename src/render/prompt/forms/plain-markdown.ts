import { SECTION_PREFIX, SECTION_TITLE } from '../document/section-title.ts'

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
  const marked = lines.filter((line) => MARKED.test(line))
  return (
    !lines.some(saysHeading) &&
    !endsInFence(marked, FENCE) &&
    !endsInFence(marked, NESTED_FENCE) &&
    !endsInHtml(body)
  )
}

/** What may stand around the words of a heading. */
const DRESS = new Set(' \t#>*_+-=~:`|')

const TITLES: ReadonlySet<string> = new Set(Object.values(SECTION_TITLE).map(bare))
const PREFIXES: readonly string[] = Object.values(SECTION_PREFIX).map(bare)

/** What is not an ASCII sign or blank: a letter, or what may become one in another form. */
const LETTERED = /[^\s!-@\[-`\{-~]/v

function saysHeading(line: string): boolean {
  if (!LETTERED.test(line)) return false
  const text = bare(line)
  return TITLES.has(text) || PREFIXES.some((prefix) => startsHeading(text, prefix))
}

/** A prefix lost its colon in `bare`, and the name that follows it may be any. */
function startsHeading(text: string, prefix: string): boolean {
  return text === prefix || text.startsWith(`${prefix}:`) || text.startsWith(`${prefix} :`)
}

/** A line without what may stand around a heading, in one case and one kind of letters. */
function bare(line: string): string {
  const text = line.normalize('NFKC').toLowerCase()
  let start = 0
  let end = text.length
  while (start < end && DRESS.has(text.charAt(start))) start += 1
  while (end > start && DRESS.has(text.charAt(end - 1))) end -= 1
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
const MARKED = /`{3}|~{3}/v
/**
 * A line that opens or closes a fence: its marks, and what follows them, be it U+2028, at which a dot
 * that stops would go back over the marks.
 */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/sv
/** The same inside lists and quotes, as a less careful reader would take it. */
const NESTED_FENCE = /^[\s>*+\-]*(`{3,}|~{3,})(.*)$/sv

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
