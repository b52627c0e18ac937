/**
 * How far a document stands out from what a query has in common with any document, from 0 (as near
 * as the usual one, or less) to 1 (the same direction).
 *
 * Models differ in what unrelated texts have in common: a cosine of 0.1 for some, 0.75 for others.
 * Counted from there, one bound holds for all of them.
 */
export function lift(similarity: number, usual: number): number {
  const least = Math.min(Math.max(usual, 0), 0.999)
  return Math.min(1, Math.max(0, (similarity - least) / (1 - least)))
}

/** The mean similarity without one document, which should not be measured by itself. */
export function usualWithout(similarity: number, usual: number, documents: number): number {
  return documents < 2 ? 0 : (usual * documents - similarity) / (documents - 1)
}
