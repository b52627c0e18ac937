import { distance } from 'fastest-levenshtein'

/** Characters of a name that are compared; the rest of a longer name is ignored. */
const LONGEST = 128

/** One letter in this many of the longer name may differ. */
const TOLERANCE = 3

/**
 * Returns the names that the author of `query` may have meant, best first; none if no name is near.
 *
 * Case, spaces, `_`, `-` and `.` make no difference. A name is near if at most every third letter
 * differs (two swapped letters are one difference), or if one of the two begins with or contains the
 * other (with at least three letters). Equal scores are ordered by name, so the order of `names`
 * makes no difference.
 */
export function nearestNames(query: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = letters(query)
  const near: { readonly name: string; readonly score: number }[] = []
  for (const name of new Set(names)) {
    const score = rate(wanted, letters(name))
    if (score !== undefined) near.push({ name, score })
  }
  return near
    .sort((a, b) => a.score - b.score || byName(a.name, b.name))
    .slice(0, limit)
    .map(({ name }) => name)
}

function letters(name: string): string {
  return name
    .slice(0, LONGEST)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_.-]/gu, '')
}

/** Scores below 1 for few edits, 1 to 2 if one begins with the other, 2 to 3 if one contains the other. */
function rate(wanted: string, offered: string): number | undefined {
  if (wanted === offered) return wanted === '' ? undefined : 0
  const shorter = Math.min(wanted.length, offered.length)
  const longer = Math.max(wanted.length, offered.length)
  const allowed = Math.max(1, Math.floor(longer / TOLERANCE))
  if (shorter >= 2 && longer - shorter <= allowed) {
    const changes = distance(wanted, offered)
    // Two swapped letters count as one.
    const edits = changes === 2 && sorted(wanted) === sorted(offered) ? 1 : changes
    if (edits <= allowed && edits < shorter) return edits / (longer + 1)
  }
  if (shorter < 3) return undefined
  if (offered.startsWith(wanted) || wanted.startsWith(offered)) return 2 - shorter / longer
  if (offered.includes(wanted) || wanted.includes(offered)) return 3 - shorter / longer
  return undefined
}

function sorted(word: string): string {
  return [...word].sort().join('')
}

/** Returns the hint for an unknown name: the nearest names, or `otherwise` if there are none. */
export function didYouMean(nearest: readonly string[], otherwise: string): string {
  if (nearest.length === 0) return otherwise
  return `Did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}?`
}

/** Compares by UTF-16 code unit: the same order on every machine, whatever its language. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
