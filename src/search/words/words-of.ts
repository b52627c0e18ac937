import { foldText } from './fold-text.ts'
import { isStopWord, isWeakTerm } from './is-weak-term.ts'
import { stemKorean, stemWord } from './stem-word.ts'

/** One word of a text. */
export interface Word {
  /** As it was written, in lower case. */
  readonly text: string
  /** What it is looked up by: its stem, or two characters of a text without spaces. */
  readonly term: string
  /** It fits any subject, so in a text it says little. */
  readonly isWeak: boolean
}

/** Parts of identifiers, in any script. */
const PARTS = /\p{Lu}[\p{Lu}\p{N}]*(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}\p{N}]+|\p{Lu}/gu

/** Scripts that put no space between words: every two neighbours are a term. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']

const UNSPACED_CLASS = `${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}ー`

const UNSPACED = new RegExp(`[${UNSPACED_CLASS}]`, 'u')

const UNSPACED_RUNS = new RegExp(`[${UNSPACED_CLASS}]+|[^${UNSPACED_CLASS}]+`, 'gu')

const HANGUL = /\p{Script=Hangul}/u

/** Chinese words of one character that only join others: no term reaches across them. */
const CHINESE_PARTICLES =
  /[的了吗呢吧啊呀我你您他她它们这那哪请和与及或是在把被给对从到向也都就还要想能会可将为以]/u

/**
 * The words of a text in order, without those that carry no meaning.
 *
 * Identifiers fall into their parts. Korean words give their stem and every two syllables of
 * it. Takes time linear in the text.
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

/** Every two neighbours, or the one character there is. */
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

/** The codes of the text that is being read: a number is read faster from here than from a string. */
let codes = new Uint8Array(1024)

/**
 * The words of a text that is all ASCII, in order, without those that carry no meaning; undefined
 * for another text.
 *
 * Identifiers fall into their parts: `HTTPServer` is two, `create_page2` is two, `sha256` is one.
 * Reading texts is much of what an index costs, so this makes nothing but the answer. Takes time
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

/** Capitals and digits are a part, but the last of them begins the next one if small letters follow. */
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

/** Take a text over as codes; false for one that is not all ASCII. */
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

/** Words that are kept: a power of two. A large catalog has as many; most of its texts use a few hundred. */
const PLACES = 2 ** 14

/** A longer word is not kept, nor is one that begins with a digit: most numbers are met once. */
const LONGEST_CACHED = 15

const ROOM = LONGEST_CACHED + 1

const NINE = 0x39

/** For each place the length of a word and its letters; a length of 0 where none is kept. */
const cachedLetters = new Uint8Array(PLACES * ROOM)

const cachedWords: (Word | null)[] = Array.from({ length: PLACES }, () => null)

/**
 * The word that stands in a text between two places; null for one that carries no meaning.
 *
 * One that was met lately is known by its letters, and need not be cut out, stemmed and judged. It
 * is at the place its letters give or beside it, where the one before it was moved.
 *
 * @param codes the text, which is all ASCII, as numbers
 */
function cachedWord(text: string, codes: Uint8Array, start: number, end: number): Word | null {
  const length = end - start
  if (length > LONGEST_CACHED || (codes[start] ?? 0) <= NINE) return cutOut(text, start, end)
  const place = placeOf(codes, start, end)
  const beside = place ^ 1
  if (isCachedAt(place, codes, start, end)) return cachedWords[place] ?? null
  if (isCachedAt(beside, codes, start, end)) return cachedWords[beside] ?? null
  cachedLetters.copyWithin(beside * ROOM, place * ROOM, (place + 1) * ROOM)
  cachedWords[beside] = cachedWords[place] ?? null
  const room = place * ROOM
  cachedLetters[room] = length
  for (let at = 0; at < length; at += 1)
    cachedLetters[room + 1 + at] = lowerCode(codes[start + at] ?? 0)
  const word = cutOut(text, start, end)
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

function placeOf(codes: Uint8Array, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1)
    hash = (Math.imul(hash, 31) + lowerCode(codes[at] ?? 0)) | 0
  return (hash ^ (hash >>> 14)) & (PLACES - 1)
}

/** The code of a letter in lower case; a digit has that bit. */
function lowerCode(code: number): number {
  return code | 0x20
}

/** Its case is lowered here, not above: that also makes it a string of its own, apart from the long one. */
function cutOut(text: string, start: number, end: number): Word | null {
  return plainWord(text.slice(start, end).toLowerCase())
}

/** A word, in lower case, with its stem; null for one that carries no meaning. */
export function plainWord(text: string): Word | null {
  if (isStopWord(text)) return null
  const term = stemWord(text)
  return { text, term, isWeak: isWeakTerm(term) }
}
