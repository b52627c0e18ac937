/** The tokens of a vocabulary, each at its rank: as text, or as bytes that are no text. */
export type TokenVocabulary = readonly (string | readonly number[])[]

/**
 * Returns a function that counts the tokens of one piece by byte pair encoding: of all
 * neighbours that form a token, the pair with the lowest rank is merged first, until none is left.
 * Takes quadratic time in the length of the piece, so callers bound it.
 */
export function bytePairCounter(vocabulary: TokenVocabulary): (piece: string) => number {
  const table = new TokenTable(vocabulary.length)
  const others: number[] = []
  vocabulary.forEach((token, rank) => {
    if (typeof token === 'string' && ASCII.test(token)) table.add(token, rank)
    else others.push(rank)
  })
  const countBytes = (bytes: string) =>
    table.rank(bytes, 0, bytes.length) === NONE ? merge(bytes, table) : 1
  const known = new Map<string, number>()
  return (piece) => {
    if (piece.length === 1 && piece < '\x80') return 1
    const isAscii = ASCII.test(piece)
    // Counting a short piece again takes less time than keeping its count.
    if (isAscii && piece.length <= SHORT) return countBytes(piece)
    let count = known.get(piece)
    if (count === undefined) {
      // The other tokens are a third of them, and most of the time. A piece of ASCII contains none.
      if (!isAscii) {
        for (const rank of others.splice(0)) table.add(toBinary(vocabulary[rank] ?? ''), rank)
      }
      count = countBytes(isAscii ? piece : toBinary(piece))
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
/** Above every rank: the bytes are no token. */
const NONE = 2 ** 31 - 1

/**
 * The ranks of tokens. Tokens are binary strings, one code unit a byte, so that ASCII text is its own key. A
 * part of a text is looked up without slicing it: with a `Map`, most of the time goes into making its keys.
 */
class TokenTable {
  /** The rank of each pair of bytes. */
  readonly #pairs = new Int32Array(2 ** 16).fill(NONE)
  /** A hash table with linear probing. Two numbers a slot: the hash of a token, and its rank plus one; 0 when free. */
  readonly #slots: Int32Array
  readonly #mask: number
  /** A bit for the hash of each token: most parts of a text are none, and this is smaller than the table. */
  readonly #filter = new Int32Array(2 ** 17)
  /** By rank. */
  readonly #tokens: string[] = []

  /** @param size the number of tokens that will be added at most */
  constructor(size: number) {
    this.#mask = 2 ** Math.ceil(Math.log2(2 * size + 1)) - 1
    this.#slots = new Int32Array(2 * (this.#mask + 1))
  }

  add(token: string, rank: number): void {
    if (token.length === 2) this.#pairs[bytePair(token, 0)] = rank
    const hash = hashBytes(token, 0, token.length)
    const word = (hash >>> 5) & FILTER_MASK
    this.#filter[word] = (this.#filter[word] ?? 0) | (1 << hash)
    let slot = hash & this.#mask
    while (this.#slots[2 * slot + 1] !== 0) slot = (slot + 1) & this.#mask
    this.#slots[2 * slot] = hash
    this.#slots[2 * slot + 1] = rank + 1
    this.#tokens[rank] = token
  }

  /** Returns the rank of some bytes as a token. */
  rank(bytes: string, from: number, to: number): number {
    if (to - from === 2) return this.#pairs[bytePair(bytes, from)] ?? NONE
    const hash = hashBytes(bytes, from, to)
    if (((this.#filter[(hash >>> 5) & FILTER_MASK] ?? 0) & (1 << hash)) === 0) return NONE
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const rank = (this.#slots[2 * slot + 1] ?? 0) - 1
      if (rank < 0) return NONE
      const isHash = this.#slots[2 * slot] === hash
      if (isHash && isPart(bytes, from, to, this.#tokens[rank] ?? '')) return rank
    }
  }
}

const FILTER_MASK = 2 ** 17 - 1

function hashBytes(bytes: string, from: number, to: number): number {
  let hash = 0
  for (let at = from; at < to; at += 1) hash = Math.imul(hash, 31) + bytes.charCodeAt(at)
  hash = Math.imul(hash, 0x9e3779b1)
  return hash ^ (hash >>> 15)
}

function bytePair(bytes: string, at: number): number {
  return (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1)
}

/** Returns true when a part of a text is that token. */
function isPart(bytes: string, from: number, to: number, token: string): boolean {
  if (token.length !== to - from) return false
  for (let at = 0; at < token.length; at += 1) {
    if (token.charCodeAt(at) !== bytes.charCodeAt(from + at)) return false
  }
  return true
}

/** The start of each token, and the rank of the token that it forms with the next one. Used by one merge at a time. */
let starts = new Int32Array(0)
let merged = new Int32Array(0)

function merge(bytes: string, table: TokenTable): number {
  let count = bytes.length
  // They are no token, as the caller knows.
  if (count === 2) return 2
  if (count + 2 > starts.length) {
    starts = new Int32Array(count + 2)
    merged = new Int32Array(count + 2)
  }
  for (let at = 0; at < count; at += 1) {
    starts[at] = at
    merged[at] = at + 1 < count ? table.rank(bytes, at, at + 2) : NONE
  }
  starts[count] = bytes.length
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
    for (let index = Math.max(0, at - 1); index <= at; index += 1) {
      merged[index] =
        index + 1 < count ? table.rank(bytes, starts[index] ?? 0, starts[index + 2] ?? 0) : NONE
    }
  }
}

const ASCII = /^[\0-\x7F]*$/
const encoder = new TextEncoder()

function toBinary(token: string | readonly number[]): string {
  const bytes = typeof token === 'string' ? encoder.encode(token) : token
  // Spreading would go through an iterator, which takes longer.
  return String.fromCharCode.apply(null, bytes as number[])
}
