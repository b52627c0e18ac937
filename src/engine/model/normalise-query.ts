/** Characters of a query that are kept: no question is longer, and a model's words must not fill a log. */
export const LONGEST_QUERY = 500

/**
 * A query as the loop guard compares it: two that differ in case, spacing or punctuation ask the
 * same thing, unless they are nothing else.
 */
export function normaliseQuery(query: string): string {
  const words = query.slice(0, LONGEST_QUERY).normalize('NFKC').toLowerCase()
  const plain = words
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')
  return plain === '' ? words.trim() : plain
}
