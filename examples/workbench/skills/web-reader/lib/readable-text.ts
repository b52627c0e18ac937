import { htmlTokens } from './html-tokens.ts'
import { LineBuilder } from './line-builder.ts'

/** A page as a person would read it, one block to a line. */
export interface ReadableText {
  readonly title: string
  readonly text: string
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements whose content nobody reads. */
const DROPPED = words('script style template svg math iframe object select noembed noframes')
const BLOCKS = words(
  'address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html li main nav ol p pre search ' +
    'section summary table tbody tfoot thead tr ul',
)
/** Blocks with an empty line around them. */
const SPACED = words('blockquote dl figure h1 h2 h3 h4 h5 h6 ol p pre section table ul')
const HEADING = /^h[1-6]$/

/**
 * HTML as plain text: scripts, styles and drawings dropped, blocks on lines of their own, list
 * items and headings marked as in Markdown, cells of a row apart by ` | `, white space as a
 * browser shows it. The title comes by itself.
 */
export function readableText(html: string): ReadableText {
  const lines = new LineBuilder()
  let title: string | undefined
  let inTitle = false
  let dropping: { readonly name: string; depth: number } | undefined
  let preformatted = 0
  for (const token of htmlTokens(html)) {
    if (dropping !== undefined) {
      if (token.kind !== 'text' && token.name === dropping.name) {
        dropping.depth += token.kind === 'start' ? (token.selfClosing ? 0 : 1) : -1
        if (dropping.depth === 0) dropping = undefined
      }
      continue
    }
    if (token.kind === 'text') {
      if (inTitle) title ??= token.text
      else if (preformatted > 0) lines.addAsIs(token.text)
      else lines.add(token.text)
      continue
    }
    const { kind, name } = token
    if (name === 'title') inTitle = kind === 'start'
    else if (DROPPED.has(name)) {
      if (kind === 'start' && !token.selfClosing) dropping = { name, depth: 1 }
    } else if (name === 'br') lines.end()
    else if (name === 'td' || name === 'th') {
      if (kind === 'start') lines.separate(' | ')
    } else if (BLOCKS.has(name)) {
      lines.end()
      if (SPACED.has(name)) lines.space()
      if (name === 'pre') preformatted = Math.max(0, preformatted + (kind === 'start' ? 1 : -1))
      if (name === 'li') lines.mark(kind === 'start' ? '- ' : '')
      if (HEADING.test(name)) lines.mark(kind === 'start' ? `${'#'.repeat(Number(name[1]))} ` : '')
    }
  }
  return { title: (title ?? '').split(/\s+/).filter(Boolean).join(' '), text: lines.text() }
}
