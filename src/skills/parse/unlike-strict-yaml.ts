import { CST, Lexer } from 'yaml'
import type { Place } from './findings.ts'

/** What keeps YAML that we read from being read by the reference validator. */
interface UnlikeStrictYaml {
  readonly message: string
  readonly hint: string
  readonly place: Place
}

/** What is refused, by the kind of lexeme it begins with. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['flow-map-start', 'a mapping in braces'],
  ['flow-seq-start', 'a list in brackets'],
  ['anchor', 'an anchor (&)'],
  ['alias', 'a reference (*)'],
  ['tag', 'a tag (!)'],
  ['directive-line', 'a directive (%)'],
])

/** Put by the lexer before a scalar that has no quotes. */
const SCALAR_MARK = '\x1f'
/** What the lexer adds to the text of the file. */
const MARKS = new Set(['\x02', '\x18', SCALAR_MARK])

/** Characters YAML does not allow. */
const NOT_PRINTABLE = /[^\t\n\r\u0020-\u007E\u0085\u00A0-\uFFFD\u{10000}-\u{10FFFF}]/u

/**
 * The first thing in a text that StrictYAML, the subset the reference validator reads, refuses and
 * YAML does not; null when there is none. Whether the text is YAML is another question.
 */
export function unlikeStrictYaml(yaml: string): UnlikeStrictYaml | null {
  let offset = 0
  let scalar = false
  for (const lexeme of new Lexer().lex(yaml)) {
    const what = scalar ? undefined : whatIsRefused(lexeme)
    if (what !== undefined) {
      return {
        message: `The front matter holds ${what}, which the specification's validator refuses.`,
        hint: 'Write lists with one `- item` a line, mappings with one `key: value` a line, and put text that starts with such a mark in quotes.',
        place: placeAt(yaml, offset),
      }
    }
    if (!MARKS.has(lexeme)) offset += lexeme.length
    scalar = lexeme === SCALAR_MARK
  }
  const odd = yaml.search(NOT_PRINTABLE)
  if (odd >= 0) {
    return {
      message: 'The front matter holds a control character.',
      hint: 'Remove it, or write it as an escape such as "\\x1b" in double quotes.',
      place: placeAt(yaml, odd),
    }
  }
  return null
}

function whatIsRefused(lexeme: string): string | undefined {
  const type = CST.tokenType(lexeme)
  if (type === 'space' && lexeme.includes('\t')) return 'a tab between values'
  return REFUSED.get(type ?? '')
}

function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
