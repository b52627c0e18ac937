import { metWord } from './met-words.ts'
import type { Word } from './word.ts'

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
    const word = metWord(text, codes, at, next)
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
