/** Terms shorter than this have too few grams to be told apart by them. */
const SHORTEST = 4
const LONGEST = 32

/** The runs of three characters of a term, its ends marked: as many as it has characters; none for a short one. */
export function wordGrams(term: string): readonly string[] {
  if (term.length < SHORTEST || term.length > LONGEST) return []
  const marked = `^${term}$`
  return Array.from(term, (_, at) => marked.slice(at, at + 3))
}
