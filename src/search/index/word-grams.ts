/** Terms shorter than this have too few grams to be told apart by them. */
const SHORTEST = 4
const LONGEST = 32

const MARK = 1
const CODES = 2 ** 16

/**
 * The runs of three characters of a term, its ends marked, each as one number: as many as it has
 * characters; none for a short one.
 */
export function wordGrams(term: string): readonly number[] {
  if (term.length < SHORTEST || term.length > LONGEST) return []
  const grams: number[] = []
  let before = MARK
  let here = term.charCodeAt(0)
  for (let at = 1; at <= term.length; at += 1) {
    const next = at === term.length ? MARK : term.charCodeAt(at)
    grams.push(gramOf(before, here, next))
    before = here
    here = next
  }
  return grams
}

/** Three codes as one number. Those of ASCII fit into a small integer, which is what a map is fast with. */
function gramOf(before: number, here: number, next: number): number {
  const isSmall = (before | here | next) < 128
  return isSmall ? (before << 14) | (here << 7) | next : (before * CODES + here) * CODES + next
}
