import { plainWord } from './plain-word.ts'
import type { Word } from './word.ts'

/** Words that are kept: a power of two. A large catalog has as many; most of its texts use a few hundred. */
const PLACES = 2 ** 14
/** A longer word is not kept, nor is one that begins with a digit: most numbers are met once. */
const LONGEST = 15
const ROOM = LONGEST + 1
const NINE = 0x39

/** For each place the length of a word and its letters; a length of 0 where none is kept. */
const letters = new Uint8Array(PLACES * ROOM)
const words: (Word | null)[] = Array.from({ length: PLACES }, () => null)

/**
 * The word that stands in a text between two places; null for one that carries no meaning.
 *
 * One that was met lately is known by its letters, and need not be cut out, stemmed and judged. It
 * is at the place its letters give or beside it, where the one before it was moved.
 *
 * @param codes the text, which is all ASCII, as numbers
 */
export function metWord(text: string, codes: Uint8Array, start: number, end: number): Word | null {
  const length = end - start
  if (length > LONGEST || (codes[start] ?? 0) <= NINE) return cutOut(text, start, end)
  const place = placeOf(codes, start, end)
  const beside = place ^ 1
  if (isAt(place, codes, start, end)) return words[place] ?? null
  if (isAt(beside, codes, start, end)) return words[beside] ?? null
  letters.copyWithin(beside * ROOM, place * ROOM, (place + 1) * ROOM)
  words[beside] = words[place] ?? null
  const room = place * ROOM
  letters[room] = length
  for (let at = 0; at < length; at += 1) letters[room + 1 + at] = lower(codes[start + at] ?? 0)
  const word = cutOut(text, start, end)
  words[place] = word
  return word
}

function isAt(place: number, codes: Uint8Array, start: number, end: number): boolean {
  const room = place * ROOM
  if (letters[room] !== end - start) return false
  const first = room + 1 - start
  for (let at = start; at < end; at += 1) {
    if (letters[first + at] !== lower(codes[at] ?? 0)) return false
  }
  return true
}

function placeOf(codes: Uint8Array, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + lower(codes[at] ?? 0)) | 0
  return (hash ^ (hash >>> 14)) & (PLACES - 1)
}

/** The code of a letter in lower case; a digit has that bit. */
function lower(code: number): number {
  return code | 0x20
}

/** Its case is lowered here, not above: that also makes it a string of its own, apart from the long one. */
function cutOut(text: string, start: number, end: number): Word | null {
  return plainWord(text.slice(start, end).toLowerCase())
}
