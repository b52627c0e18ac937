const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']
const PARTICLES = ['و', 'ب', 'ل', 'ف', 'ك']
const ENDINGS = ['هما', 'ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'هم', 'ه', 'ي']
const SHORTEST = 3

/**
 * An Arabic word without its article or particle and without one ending: a light stemmer,
 * which leaves the root and its pattern alone.
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
  return isLong && PARTICLES.some((one) => word.startsWith(one)) ? word.slice(1) : word
}

function withoutEnding(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST)
  return ending === undefined ? word : word.slice(0, -ending.length)
}
