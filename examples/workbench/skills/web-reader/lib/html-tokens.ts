import { decodeEntities } from './decode-entities.ts'
import type { HtmlToken } from './html-token.ts'
import { readTag } from './read-tag.ts'

/** Elements whose content is text up to their own end tag, whatever it looks like. */
const RAW: ReadonlySet<string> = new Set([
  'script',
  'style',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
])
/** The same, except that entities in them are read. */
const ESCAPABLE: ReadonlySet<string> = new Set(['title', 'textarea'])

/**
 * The start tags, end tags and text of a page, entities decoded; comments, declarations and
 * processing instructions left out.
 *
 * Follows the tokenizer of the HTML standard closely enough for reading, builds no tree and
 * never goes back: every character is looked at a bounded number of times, whatever is unclosed.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let at = 0
  while (at < html.length) {
    const open = nextMarkup(html, at)
    if (open > at) yield { kind: 'text', text: decodeEntities(html.slice(at, open)) }
    if (open === html.length) return
    const next = html[open + 1]
    if (next === '!' || next === '?') {
      at = skipDeclaration(html, open)
      continue
    }
    const tag = readTag(html, open)
    at = tag.end
    if (tag.token === undefined) continue
    yield tag.token
    if (tag.token.kind !== 'start') continue
    const { name } = tag.token
    if (!RAW.has(name) && !ESCAPABLE.has(name)) continue
    const close = closingTag(lower, at, name)
    const text = html.slice(at, close)
    if (text !== '') yield { kind: 'text', text: RAW.has(name) ? text : decodeEntities(text) }
    at = close
  }
}

/** The next `<` that starts a tag or a declaration; any other is text. */
function nextMarkup(html: string, from: number): number {
  let at = html.indexOf('<', from)
  while (at >= 0 && !/^(?:[a-z!?]|\/[a-z])/i.test(html.slice(at + 1, at + 3))) {
    at = html.indexOf('<', at + 1)
  }
  return at < 0 ? html.length : at
}

/** Past a comment, doctype, CDATA section or processing instruction; unclosed, past everything. */
function skipDeclaration(html: string, open: number): number {
  if (!html.startsWith('<!--', open)) {
    const end = html.indexOf('>', open)
    return end < 0 ? html.length : end + 1
  }
  if (html.startsWith('>', open + 4)) return open + 5
  if (html.startsWith('->', open + 4)) return open + 6
  const end = html.indexOf('-->', open + 4)
  return end < 0 ? html.length : end + 3
}

/** Where `</name` stands, as a whole name; the end of the page when it never does. */
function closingTag(lower: string, from: number, name: string): number {
  const wanted = `</${name}`
  let at = lower.indexOf(wanted, from)
  while (at >= 0) {
    const after = lower[at + wanted.length]
    if (after === undefined || /[\s/>]/.test(after)) return at
    at = lower.indexOf(wanted, at + wanted.length)
  }
  return lower.length
}
