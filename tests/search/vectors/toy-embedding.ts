/** Words for one thing in two languages: each row is a direction of its own. */
const CONCEPTS = [
  ['weather', 'forecast', '天气', '预报'],
  ['money back', 'refund', '退款', '退钱'],
  ['image', 'picture', 'photo', '图片', '照片'],
  ['invoice', '发票'],
  ['page', '网页'],
]
const GRAMS = 48
/** The common part of all texts, as with real models. */
const COMMON = 0.7

/** Numbers in a vector. */
export const TOY_DIMENSIONS = 1 + CONCEPTS.length + GRAMS

/** A vector of a text: its concepts, and its runs of three letters, hashed. The same on every machine. */
export function toyEmbedding(text: string): number[] {
  const lower = text.toLowerCase()
  const grams = Array.from({ length: GRAMS }, () => 0)
  for (let at = 0; at + 3 <= lower.length; at += 1) {
    let hash = 7
    for (const character of lower.slice(at, at + 3)) {
      hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
    }
    const sign = hash % 2 === 0 ? 1 : -1
    grams[hash % GRAMS] = (grams[hash % GRAMS] ?? 0) + (2 * sign) / Math.sqrt(lower.length)
  }
  const concepts = CONCEPTS.map((words) => (words.some((word) => lower.includes(word)) ? 3 : 0))
  return [COMMON, ...concepts, ...grams]
}
