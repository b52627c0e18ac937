/** Terms shorter than this have too few grams to be told apart by them. */
const SHORTEST = 4
const LONGEST = 32

/** The runs of three characters of a term, its ends marked; none for a short one. */
export function wordGrams(term: string): ReadonlySet<string> {
  const grams = new Set<string>()
  if (term.length < SHORTEST || term.length > LONGEST) return grams
  const marked = `^${term}$`
  for (let at = 0; at + 3 <= marked.length; at += 1) grams.add(marked.slice(at, at + 3))
  return grams
}
