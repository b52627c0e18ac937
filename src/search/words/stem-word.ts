import { stemmer } from 'stemmer'
import { stemArabic } from './stem-arabic.ts'

const LATIN = /^[a-z]+$/
const ARABIC = /[\u0600-\u06ff]/

/** A longer word is no word: its head stands for it. */
const LONGEST = 64

/** The form under which the inflections of a word are one: Porter's for English, a light one for Arabic. */
export function stemWord(word: string): string {
  const head = word.slice(0, LONGEST)
  return LATIN.test(head) ? stemmer(head) : ARABIC.test(head) ? stemArabic(head) : head
}
