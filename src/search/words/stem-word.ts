import { stemmer } from 'stemmer'
import { stemArabic } from './stem-arabic.ts'

const LATIN = /^[a-z]+$/
const ARABIC = /[\u0600-\u06ff]/

/** Words whose stems are kept; the texts of one catalog use far fewer. */
const KEPT = 50_000
/** A longer word is no word: its head stands for it. */
const LONGEST = 64

const stems = new Map<string, string>()

/** The form under which the inflections of a word are one: Porter's for English, a light one for Arabic. */
export function stemWord(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const head = word.slice(0, LONGEST)
  const stem = LATIN.test(head) ? stemmer(head) : ARABIC.test(head) ? stemArabic(head) : head
  if (stems.size >= KEPT) stems.clear()
  stems.set(word.length > LONGEST ? head : word, stem)
  return stem
}
