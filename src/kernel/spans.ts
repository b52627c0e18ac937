/** A stretch of a text: from the first character to the one after the last. */
export type Span = readonly [start: number, end: number]

/** What stands where a text was cut. */
const CUT = '…'

/** Less of a secret tells nothing, and stands everywhere by chance. */
const LEAST_LEFT = 4

/** Every place of a text where one of some secrets stands, those that overlap among them. */
export function secretSpans(text: string, secrets: readonly string[]): readonly Span[] {
  return secrets.flatMap((secret) =>
    placesOf(secret, text).map((start): Span => [start, start + secret.length]),
  )
}

/** What is left of secrets where a text was cut before anyone looked for them: `pass…`. */
export function cutSpans(text: string, secrets: readonly string[]): readonly Span[] {
  if (!text.includes(CUT)) return []
  return secrets.flatMap((secret) =>
    placesOf(secret.slice(0, LEAST_LEFT), text).flatMap((start): readonly Span[] => {
      let left = LEAST_LEFT
      while (left < secret.length && text[start + left] === secret[left]) left += 1
      return left < secret.length && text[start + left] === CUT ? [[start, start + left]] : []
    }),
  )
}

/** Tokens of a text that begin with one of some prefixes, at the beginning of a word; cut ones, too. */
export function prefixSpans(text: string, prefixes: readonly string[]): readonly Span[] {
  return prefixes.flatMap((prefix) =>
    placesOf(prefix, text).flatMap((start): readonly Span[] => {
      if (isTokenCharacter(text.charCodeAt(start - 1))) return []
      let end = start + prefix.length
      while (isTokenCharacter(text.charCodeAt(end))) end += 1
      const rest = text.slice(start + prefix.length, end)
      const isLeft = text[end] === CUT && rest.length >= LEAST_LEFT
      return isLeft || isToken(rest) ? [[start, end]] : []
    }),
  )
}

/** A text with other text in the place of some spans; those that touch are one. */
export function withoutSpans(text: string, spans: readonly Span[], instead: string): string {
  if (spans.length === 0) return text
  const kept: string[] = []
  let at = 0
  let until = -1
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (start > until) kept.push(text.slice(at, start), instead)
    until = Math.max(until, end)
    at = until
  }
  return kept.join('') + text.slice(at)
}

/** `Bearer authentication` is English: a word has no digit, and fewer letters. */
function isToken(rest: string): boolean {
  return rest.length >= 20 || (rest.length >= 8 && /\d/.test(rest))
}

function placesOf(part: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

/** Letters, digits and `-._~+/=`: what bearer tokens are made of. False for NaN, beyond the ends. */
function isTokenCharacter(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit > 0 && '-._~+/='.includes(String.fromCharCode(unit)))
  )
}
