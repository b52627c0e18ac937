import { foldText } from './fold-text.ts'
import { isStopWord, isWeakTerm } from './is-weak-term.ts'
import { stemKorean, stemWord } from './stem-word.ts'

/** One word of a text. */
export interface Word {
  /** The word as written, in lower case. */
  readonly text: string
  /** The key of its lookup: its stem, or two characters of a script without spaces. */
  readonly term: string
  /** True for a common word that fits any subject, so that it counts less in a text. */
  readonly isWeak: boolean
}

/** The parts of identifiers, in any script. */
const PARTS = /\p{Lu}[\p{Lu}\p{N}]*(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}\p{N}]+|\p{Lu}/gu

/** Scripts without spaces between words: every two adjacent characters are a term. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']

const UNSPACED_CLASS = `${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}ー`

const UNSPACED = new RegExp(`[${UNSPACED_CLASS}]`, 'u')

const UNSPACED_RUNS = new RegExp(`[${UNSPACED_CLASS}]+|[^${UNSPACED_CLASS}]+`, 'gu')

const HANGUL = /\p{Script=Hangul}/u

/** Chinese function words of one character; no term spans them. */
const CHINESE_PARTICLES =
  /[的了吗呢吧啊呀我你您他她它们这那哪请和与及或是在把被给对从到向也都就还要想能会可将为以]/u

/**
 * Returns the words of a text in order, without stop words.
 *
 * Identifiers are split into their parts. A Korean word gives its stem and every two adjacent
 * syllables of it. The time is linear in the text.
 */
export function wordsOf(text: string): readonly Word[] {
  return asciiWords(text) ?? foldedWords(foldText(text))
}

function foldedWords(folded: string): readonly Word[] {
  const plain = asciiWords(folded)
  if (plain !== undefined) return plain
  const words: Word[] = []
  for (const part of folded.match(PARTS) ?? []) {
    const lower = part.toLowerCase()
    if (HANGUL.test(lower)) addHangul(lower, words)
    else if (UNSPACED.test(lower)) addUnspaced(lower, words)
    else addPlain(lower, words)
  }
  return words
}

function addPlain(text: string, words: Word[]): void {
  const word = plainWord(text)
  if (word !== null) words.push(word)
}

function addUnspaced(text: string, words: Word[]): void {
  for (const run of text.match(UNSPACED_RUNS) ?? []) {
    if (!UNSPACED.test(run)) addPlain(run, words)
    else for (const piece of run.split(CHINESE_PARTICLES)) addPairs(piece, undefined, words)
  }
}

function addHangul(text: string, words: Word[]): void {
  const stem = stemKorean(text)
  addPairs(stem, text, words)
  if (stem.length > 2) words.push({ text, term: stem, isWeak: false })
}

/** Adds every two adjacent characters, or a single character. */
function addPairs(piece: string, within: string | undefined, words: Word[]): void {
  const characters = [...piece]
  if (characters.length === 1) words.push({ text: within ?? piece, term: piece, isWeak: false })
  for (let at = 0; at + 1 < characters.length; at += 1) {
    const term = `${characters[at]}${characters[at + 1]}`
    if (!isStopWord(term)) words.push({ text: within ?? term, term, isWeak: false })
  }
}

const LOWER = 1

const DIGIT = 2

const UPPER = 4

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  return /[0-9]/.test(character) ? DIGIT : 0
})

/** The character codes of the current text; reading them here is faster than from the string. */
let codes = new Uint8Array(1024)

/**
 * Returns the words of an ASCII text in order, without stop words; undefined for any other text.
 *
 * Identifiers are split into their parts: `HTTPServer` is two, `create_page2` is two, `sha256` is one.
 * Reading texts is much of the cost of an index, so nothing but the result is allocated. The time is
 * linear in the text.
 */
export function asciiWords(text: string): readonly Word[] | undefined {
  if (!readCodes(text)) return undefined
  const words: Word[] = []
  const end = text.length
  for (let at = 0; at < end;) {
    if (kindAt(at) === 0) {
      at += 1
      continue
    }
    const next = partEnd(at, end)
    const word = cachedWord(text, codes, at, next)
    if (word !== null) words.push(word)
    at = next
  }
  return words
}

/**
 * Returns the end of an identifier part. Capitals and digits are a part, but the last capital starts
 * the next part if lower-case letters follow.
 */
function partEnd(start: number, end: number): number {
  let at = start + 1
  if (kindAt(start) === UPPER) {
    at = runEnd(at, end, UPPER | DIGIT)
    const isOver = at === end || kindAt(at) !== LOWER
    if (isOver) return at
    if (at > start + 1) return at - 1
  }
  return runEnd(at, end, LOWER | DIGIT)
}

function runEnd(from: number, end: number, kinds: number): number {
  let at = from
  while (at < end && (kindAt(at) & kinds) !== 0) at += 1
  return at
}

function kindAt(at: number): number {
  return KINDS[codes[at] ?? 0] ?? 0
}

/** Reads a text into `codes`; false when it is not ASCII. */
function readCodes(text: string): boolean {
  const { length } = text
  if (length > codes.length) codes = new Uint8Array(length * 2)
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) return false
    codes[at] = code
  }
  return true
}

/** Size of the word cache, a power of two. A large catalog has about as many different words. */
const PLACES = 2 ** 14

/** Longer words are not cached, nor are those that start with a digit: most numbers occur once. */
const LONGEST_CACHED = 15

const ROOM = LONGEST_CACHED + 1

const NINE = 0x39

/** For each place of the cache: the length of a word, and its letters. A length of 0 means empty. */
const cachedLetters = new Uint8Array(PLACES * ROOM)

const cachedWords: (Word | null)[] = Array.from({ length: PLACES }, () => null)

/**
 * Returns the word between two positions of a text; null for a stop word.
 *
 * A cached word is found by its letters and is not sliced and stemmed again. It is at the place of its
 * hash, or at the neighbouring place, where the previous word of that place was moved.
 *
 * @param codes the character codes of the text, which is ASCII
 */
function cachedWord(text: string, codes: Uint8Array, start: number, end: number): Word | null {
  const length = end - start
  if (length > LONGEST_CACHED || (codes[start] ?? 0) <= NINE) return sliceWord(text, start, end)
  const place = cachePlace(codes, start, end)
  const neighbour = place ^ 1
  if (isCachedAt(place, codes, start, end)) return cachedWords[place] ?? null
  if (isCachedAt(neighbour, codes, start, end)) return cachedWords[neighbour] ?? null
  cachedLetters.copyWithin(neighbour * ROOM, place * ROOM, (place + 1) * ROOM)
  cachedWords[neighbour] = cachedWords[place] ?? null
  const room = place * ROOM
  cachedLetters[room] = length
  for (let at = 0; at < length; at += 1)
    cachedLetters[room + 1 + at] = lowerCode(codes[start + at] ?? 0)
  const word = sliceWord(text, start, end)
  cachedWords[place] = word
  return word
}

function isCachedAt(place: number, codes: Uint8Array, start: number, end: number): boolean {
  const room = place * ROOM
  if (cachedLetters[room] !== end - start) return false
  const first = room + 1 - start
  for (let at = start; at < end; at += 1) {
    if (cachedLetters[first + at] !== lowerCode(codes[at] ?? 0)) return false
  }
  return true
}

function cachePlace(codes: Uint8Array, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1)
    hash = (Math.imul(hash, 31) + lowerCode(codes[at] ?? 0)) | 0
  return (hash ^ (hash >>> 14)) & (PLACES - 1)
}

/** Returns the code of a letter in lower case, or of a digit, which has that bit already. */
function lowerCode(code: number): number {
  return code | 0x20
}

/** Lower-casing after slicing also makes a string that does not keep the complete text alive. */
function sliceWord(text: string, start: number, end: number): Word | null {
  return plainWord(text.slice(start, end).toLowerCase())
}

/** Returns a lower-case word with its stem; null for a stop word. */
export function plainWord(text: string): Word | null {
  if (isStopWord(text)) return null
  const term = stemWord(text)
  return { text, term, isWeak: isWeakTerm(term) }
}
