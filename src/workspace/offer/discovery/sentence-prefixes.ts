import { sanitiseLine } from '../../../kernel/sanitise-line.ts'

/** Characters that are looked at: what a page has room for is far less. */
const LONGEST = 4_000
/** Words of the shortest form of a text whose first sentence is longer. */
const FEW_WORDS = 14

/** A text in a shorter form; `isCut` when something of it is missing. */
export interface ShorterText {
  readonly text: string
  readonly isCut: boolean
}

/**
 * A text in one line, whole, then ever shorter: to its half, at the end of its first sentence, and after
 * a few words with `…` where even that sentence is long. Each form is shorter than the one before.
 */
export function sentencePrefixes(given: string): readonly ShorterText[] {
  const whole = sanitiseLine(given.slice(0, LONGEST).toWellFormed())
  const isCut = given.length > LONGEST
  const ends = sentenceEnds(whole)
  const half = ends.findLast((end) => end <= whole.length / 2)
  const first = ends[0] ?? whole.length
  const words = fewWords(whole.slice(0, first))
  const forms: ShorterText[] = [{ text: isCut ? `${whole}…` : whole, isCut }]
  for (const text of [
    half === undefined ? '' : whole.slice(0, half),
    whole.slice(0, first),
    words,
  ]) {
    const last = forms.at(-1)
    if (text !== '' && last !== undefined && text.length < last.text.length) {
      forms.push({ text, isCut: true })
    }
  }
  return forms
}

/** Where sentences end: after `.`, `!` or `?` before a space that no small letter follows. */
function sentenceEnds(line: string): readonly number[] {
  const ends: number[] = []
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    const isWide = '。！？'.includes(character)
    const isEnd = '.!?'.includes(character) && line.charAt(at + 1) === ' '
    if (isWide || (isEnd && !isSmallLetter(line.charAt(at + 2)))) ends.push(at + 1)
  }
  return [...ends, line.length]
}

function isSmallLetter(character: string): boolean {
  return character !== character.toUpperCase()
}

/** The first words; a script without spaces is cut by its characters. */
function fewWords(sentence: string): string {
  const words = sentence.split(' ')
  const text = words
    .slice(0, FEW_WORDS)
    .join(' ')
    .slice(0, FEW_WORDS * 8)
  return text.length < sentence.length ? `${text.toWellFormed()}…` : sentence
}
