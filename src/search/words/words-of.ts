import { asciiWords } from './ascii-words.ts'
import { foldText } from './fold-text.ts'
import { plainWord } from './plain-word.ts'
import { stemKorean } from './stem-korean.ts'
import { isStopWord } from './stop-words.ts'
import type { Word } from './word.ts'

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
