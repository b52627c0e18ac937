import { decodeEntities } from './decode-entities.ts'
import type { HtmlToken } from './html-token.ts'

/** A tag and where the page goes on behind it; without a token when the page ends inside it. */
export interface ReadTag {
  readonly token?: HtmlToken
  readonly end: number
}

const NAME = /[^\s/>]+/y
const ATTRIBUTE_NAME = /[^\s/>=][^\s/>=]*/y
const BARE_VALUE = /[^\s>]+/y
const SPACE = /\s*/y

/** Read the tag whose `<` stands at `open`, a letter or `/` and a letter behind it. */
export function readTag(html: string, open: number): ReadTag {
  const closing = html[open + 1] === '/'
  const name = match(NAME, html, open + (closing ? 2 : 1))
  let at = open + (closing ? 2 : 1) + name.length
  const attributes = new Map<string, string>()
  for (;;) {
    at += match(SPACE, html, at).length
    const next = html[at]
    if (next === undefined) return { end: html.length }
    if (next === '>') break
    const attribute = match(ATTRIBUTE_NAME, html, at)
    if (attribute === '') {
      at += 1
      continue
    }
    const { value, end } = readValue(html, at + attribute.length)
    const key = attribute.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, decodeEntities(value))
    at = end
  }
  const end = at + 1
  const lowerName = name.toLowerCase()
  if (closing) return { token: { kind: 'end', name: lowerName }, end }
  const selfClosing = html[at - 1] === '/'
  return { token: { kind: 'start', name: lowerName, attributes, selfClosing }, end }
}

/** The value behind an attribute's name, if there is one; a quote that never closes takes all. */
function readValue(html: string, from: number): { value: string; end: number } {
  const equals = from + match(SPACE, html, from).length
  if (html[equals] !== '=') return { value: '', end: from }
  const start = equals + 1 + match(SPACE, html, equals + 1).length
  const quote = html[start]
  if (quote !== '"' && quote !== "'") {
    const value = match(BARE_VALUE, html, start)
    return { value, end: start + value.length }
  }
  const close = html.indexOf(quote, start + 1)
  if (close < 0) return { value: '', end: html.length }
  return { value: html.slice(start + 1, close), end: close + 1 }
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
