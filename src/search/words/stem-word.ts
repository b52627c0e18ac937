import { stemmer } from 'stemmer'

const LATIN = /^[a-z]+$/

const ARABIC = /[\u0600-\u06ff]/

/** Only this many characters of a word are read. */
const LONGEST = 64

/** Returns the stem of a word, by Porter's stemmer for English and a light stemmer for Arabic. */
export function stemWord(word: string): string {
  const head = word.slice(0, LONGEST)
  return LATIN.test(head) ? stemmer(head) : ARABIC.test(head) ? stemArabic(head) : head
}

const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']

const ARABIC_PARTICLES = ['و', 'ب', 'ل', 'ف', 'ك']

const ENDINGS = ['هما', 'ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'هم', 'ه', 'ي']

const SHORTEST = 3

/**
 * Removes the article or particle and one ending of an Arabic word. This is a light stemmer: it keeps
 * the root and its pattern.
 *
 * @param word folded, so that there is one alef, no ta marbuta and no vowel signs
 */
export function stemArabic(word: string): string {
  return withoutEnding(withoutStart(word))
}

function withoutStart(word: string): string {
  const article = ARTICLES.find((one) => word.startsWith(one))
  if (article !== undefined && word.length - article.length >= SHORTEST) {
    return word.slice(article.length)
  }
  const isLong = word.length >= SHORTEST + 2
  return isLong && ARABIC_PARTICLES.some((one) => word.startsWith(one)) ? word.slice(1) : word
}

function withoutEnding(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST)
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** Particles and copulas that follow a noun, longest first. */
const KOREAN_PARTICLES = `
으로부터 에서부터 인가요 입니다 이라는 이라고 에서는 으로는 에게서 한테서 이에요
예요 에서 으로 에게 한테 부터 까지 처럼 보다 이랑 하고 라고 라는 이나 에는 인지
은 는 이 가 을 를 에 의 와 과 도 만 로 랑 께 야 요 나
`
  .trim()
  .split(/\s+/)

/** Removes the particle at the end of a Korean word if at least two syllables remain. */
export function stemKorean(word: string): string {
  const particle = KOREAN_PARTICLES.find(
    (one) => word.length - one.length >= 2 && word.endsWith(one),
  )
  return particle === undefined ? word : word.slice(0, -particle.length)
}
