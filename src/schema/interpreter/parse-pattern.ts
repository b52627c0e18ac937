/** A regular expression as a tree. Groups capture nothing, because only the verdict is of use. */
export type PatternNode =
  | { readonly kind: 'character'; readonly matches: (codePoint: number) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly node: PatternNode
      readonly least: number
      readonly most: number
    }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'no-boundary' }
  | {
      readonly kind: 'look'
      readonly node: PatternNode
      readonly direction: 'ahead' | 'behind'
      readonly negated: boolean
    }

/** Nested groups. */
const MAX_DEPTH = 100

/** Characters of a pattern. */
const MAX_LENGTH = 10_000

class Unsupported extends Error {}

/**
 * Parses a regular expression of ECMAScript, with the flag `u`, as JSON Schema has them. Returns the reason for one
 * that cannot be checked in linear time.
 *
 * The engine of the runtime never runs it. It only checks the syntax, and later whether one character
 * belongs to a class, so classes and `\p{…}` mean exactly what they mean there.
 */
export function parsePattern(
  pattern: string,
):
  | { readonly ok: true; readonly node: PatternNode }
  | { readonly ok: false; readonly reason: string } {
  if (pattern.length > MAX_LENGTH) return { ok: false, reason: TOO_LARGE }
  // With the flag `u` these may not be escaped, though many authors do.
  const source = pattern.replace(/\\([^])/gu, (escape, character: string) =>
    ' !"#%&\',-:;<=>@_`~'.includes(character)
      ? `\\x${character.charCodeAt(0).toString(16)}`
      : escape,
  )
  try {
    new RegExp(source, 'u').exec('')
  } catch {
    return { ok: false, reason: 'is not a regular expression of ECMAScript with the flag "u"' }
  }
  try {
    return { ok: true, node: new PatternReader(source).choice(0) }
  } catch (error) {
    if (error instanceof Unsupported) return { ok: false, reason: error.message }
    throw error
  }
}

/** The reason against a pattern that is too large to check. */
export const TOO_LARGE = 'is too large'

/** One character: an escape (a surrogate pair is one), a class, or the character itself. */
const CHARACTER =
  /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|[pP]\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/uy

const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy

const GROUP = /\((?:\?(?:(:)|(<?)([=!])|<[^=!][^>]*>))?/uy

/** Reads a pattern that the runtime accepted, from left to right. */
class PatternReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  choice(depth: number): PatternNode {
    if (depth > MAX_DEPTH) throw new Unsupported('has too many nested groups')
    const nodes = [this.#sequence(depth)]
    while (this.#source[this.#at] === '|') {
      this.#at += 1
      nodes.push(this.#sequence(depth))
    }
    return nodes.length === 1 ? (nodes[0] as PatternNode) : { kind: 'choice', nodes }
  }

  #sequence(depth: number): PatternNode {
    const nodes: PatternNode[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      nodes.push(this.#quantified(this.#term(depth)))
    }
    return { kind: 'sequence', nodes }
  }

  #term(depth: number): PatternNode {
    if (this.#source[this.#at] === '(') return this.#group(depth)
    const [text = ''] = this.#take(CHARACTER) ?? []
    if (text === '^') return { kind: 'start' }
    if (text === '$') return { kind: 'end' }
    if (text === '\\b') return { kind: 'boundary' }
    if (text === '\\B') return { kind: 'no-boundary' }
    if (/^\\[1-9k]/u.test(text)) throw new Unsupported('refers back to a group')
    return { kind: 'character', matches: characterTest(text) }
  }

  #group(depth: number): PatternNode {
    const open = this.#take(GROUP)
    if (open === undefined || (open[0] === '(' && this.#source[this.#at] === '?')) {
      throw new Unsupported('changes flags within the pattern')
    }
    const node = this.choice(depth + 1)
    this.#at += 1
    const [, , behind, look] = open
    if (look === undefined) return node
    const direction = behind === '<' ? 'behind' : 'ahead'
    return { kind: 'look', node, direction, negated: look === '!' }
  }

  #quantified(node: PatternNode): PatternNode {
    const found = this.#take(QUANTIFIER)
    if (found === undefined) return node
    const [, sign, least = '', comma, most = ''] = found
    if (sign !== undefined) {
      const bounds = { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity }
      return { kind: 'repeat', node, ...bounds }
    }
    const upTo = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)
    return { kind: 'repeat', node, least: Number(least), most: upTo }
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at
    const found = token.exec(this.#source) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }
}

/** Results for ASCII are kept, as 1 and 2. */
const ASCII = 128

/** Tests one character with the engine of the runtime, which takes constant time. */
function characterTest(text: string): (codePoint: number) => boolean {
  if (!/^[.\\[]/u.test(text)) {
    const wanted = text.codePointAt(0)
    return (codePoint) => codePoint === wanted
  }
  const expression = new RegExp(`^${text}$`, 'u')
  const known = new Uint8Array(ASCII)
  return (codePoint) => {
    if (codePoint >= ASCII) return expression.test(String.fromCodePoint(codePoint))
    known[codePoint] ||= expression.test(String.fromCodePoint(codePoint)) ? 1 : 2
    return known[codePoint] === 1
  }
}
