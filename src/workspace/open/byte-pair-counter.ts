/** The tokens of a vocabulary, each at its rank: as text, or as bytes that are no text. */
export type TokenVocabulary = readonly (string | readonly number[])[]

/** Tokens are looked up as binary strings, one code unit a byte, so that ASCII text is its own key. */
type Ranks = ReadonlyMap<string, number>

/**
 * Returns a function that counts the tokens of one piece by byte pair encoding: of all
 * neighbours that form a token, the pair with the lowest rank is merged first, until none is left.
 * Takes quadratic time in the length of the piece, so callers bound it.
 */
export function bytePairCounter(vocabulary: TokenVocabulary): (piece: string) => number {
  const ranks = new Map<string, number>()
  /** The rank of each pair of bytes. */
  const pairs = new Int32Array(2 ** 16).fill(NONE)
  const add = (token: string, rank: number) => {
    ranks.set(token, rank)
    if (token.length === 2) pairs[(token.charCodeAt(0) << 8) | token.charCodeAt(1)] = rank
  }
  const others: number[] = []
  vocabulary.forEach((token, rank) => {
    if (typeof token === 'string' && ASCII.test(token)) add(token, rank)
    else others.push(rank)
  })
  /** Adds the other tokens: a third of them, and most of the time. A piece of ASCII contains none. */
  const addOthers = () => {
    for (const rank of others.splice(0)) add(binaryOf(vocabulary[rank] ?? ''), rank)
  }
  const known = new Map<string, number>()
  return (piece) => {
    // Counting a short piece again takes less time than keeping its count.
    if (piece.length <= SHORT && ASCII.test(piece)) {
      return ranks.has(piece) ? 1 : merge(piece, ranks, pairs)
    }
    let count = known.get(piece)
    if (count === undefined) {
      const bytes = ASCII.test(piece) ? piece : binaryOf(piece)
      if (bytes !== piece) addOthers()
      count = ranks.has(bytes) ? 1 : merge(bytes, ranks, pairs)
      if (known.size === MAX_KNOWN) known.clear()
      known.set(piece, count)
    }
    return count
  }
}

/** Pieces whose counts are kept: most words of a text come again. */
const MAX_KNOWN = 10_000
/** The longest piece of ASCII whose count is not kept. */
const SHORT = 4
/** Above every rank: the pair is no token. */
const NONE = 2 ** 31 - 1

/** The start of each token, and the rank of the token that it forms with the next one. Used by one merge at a time. */
let starts = new Int32Array(0)
let merged = new Int32Array(0)

function merge(bytes: string, ranks: Ranks, pairs: Int32Array): number {
  let count = bytes.length
  if (count + 2 > starts.length) {
    starts = new Int32Array(count + 2)
    merged = new Int32Array(count + 2)
  }
  for (let at = 0; at < count; at += 1) {
    starts[at] = at
    merged[at] = pairs[(bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1)] ?? NONE
  }
  starts.fill(bytes.length, count, count + 2)
  merged[count - 1] = NONE
  for (;;) {
    let lowest = NONE
    let at = -1
    for (let index = 0; index < count; index += 1) {
      const rank = merged[index] ?? NONE
      if (rank < lowest) {
        lowest = rank
        at = index
      }
    }
    if (at < 0) return count
    count -= 1
    for (let index = at + 1; index <= count; index += 1) {
      starts[index] = starts[index + 1] ?? 0
      merged[index] = merged[index + 1] ?? NONE
    }
    merged[count] = NONE
    for (let index = Math.max(0, at - 1); index <= at; index += 1) {
      const pair = index + 1 < count ? bytes.slice(starts[index], starts[index + 2]) : ''
      merged[index] = ranks.get(pair) ?? NONE
    }
  }
}

const ASCII = /^[\0-\x7F]*$/
const encoder = new TextEncoder()

function binaryOf(token: string | readonly number[]): string {
  const bytes = typeof token === 'string' ? encoder.encode(token) : token
  // Spreading would go through an iterator, which takes longer.
  return String.fromCharCode.apply(null, bytes as number[])
}
