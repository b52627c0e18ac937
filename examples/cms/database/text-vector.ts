/** Dimensions: enough that the few thousand words of a site seldom meet. */
const DIMENSIONS = 1_024

/** How much three letters in a row count beside the word they are in. */
const OF_LETTERS = 0.3

/**
 * A text as a vector of unit length: its words, and three letters of them at a time so that forms of
 * a word are near each other, hashed into as many places as there are. No model, no network, the
 * same everywhere; what means the same in other words is far apart. A site that needs more puts
 * `embed` of the AI SDK here.
 */
export function textVector(text: string): Float64Array {
  const vector = new Float64Array(DIMENSIONS)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(vector, word, 1)
    const padded = ` ${word} `
    for (let at = 0; at + 3 <= padded.length; at += 1) {
      add(vector, padded.slice(at, at + 3), OF_LETTERS)
    }
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** 0 for the same direction, 1 for nothing in common; 1 when one of them is of no text. */
export function distance(one: Float64Array, other: Float64Array): number {
  const cosine = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
  return Number(Math.max(0, 1 - cosine).toFixed(3))
}

/** FNV-1a, with a sign, so that pieces that meet in one place cancel as often as they add up. */
function add(vector: Float64Array, piece: string, weight: number): void {
  let hash = 0x811c9dc5
  for (let at = 0; at < piece.length; at += 1) {
    hash = Math.imul(hash ^ piece.charCodeAt(at), 0x01000193)
  }
  const place = (hash >>> 1) % DIMENSIONS
  vector[place] = (vector[place] ?? 0) + (hash & 1 ? weight : -weight)
}
