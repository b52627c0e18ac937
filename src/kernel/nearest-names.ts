import { distance } from 'fastest-levenshtein'

/** Characters of a name that are looked at; the rest of a longer one makes no difference. */
const LONGEST = 128

/** Share of the longer name that may differ: one letter in three. */
const TOLERANCE = 3

/**
 * The names somebody who wrote `query` may have meant, best first; empty when none is near.
 *
 * Case, spaces, `_`, `-` and `.` make no difference. A name is near when at most every third
 * letter differs (two letters in each other's place are one difference), or when one of the two begins with, or holds, the other (three letters at
 * least). Ties are settled by the names themselves, so the order they come in does not matter.
 */
export function nearestNames(query: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = letters(query)
  const near: { readonly name: string; readonly score: number }[] = []
  for (const name of new Set(names)) {
    const score = scoreOf(wanted, letters(name))
    if (score !== undefined) near.push({ name, score })
  }
  return near
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
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

/** Below 1 for few edits, 1 to 2 where one begins with the other, 2 to 3 where one holds it. */
function scoreOf(wanted: string, offered: string): number | undefined {
  if (wanted === offered) return wanted === '' ? undefined : 0
  const shorter = Math.min(wanted.length, offered.length)
  const longer = Math.max(wanted.length, offered.length)
  const allowed = Math.max(1, Math.floor(longer / TOLERANCE))
  if (shorter >= 2 && longer - shorter <= allowed) {
    const edits = editsBetween(wanted, offered)
    if (edits <= allowed && edits < shorter) return edits / (longer + 1)
  }
  if (shorter < 3) return undefined
  if (offered.startsWith(wanted) || wanted.startsWith(offered)) return 2 - shorter / longer
  if (offered.includes(wanted) || wanted.includes(offered)) return 3 - shorter / longer
  return undefined
}

/** Letters changed, left out or added; two that stand in each other's place count as one. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b)
  return edits === 2 && sorted(a) === sorted(b) ? 1 : edits
}

function sorted(word: string): string {
  return [...word].sort().join('')
}

/** The hint for a name that is not known: the nearest names, or what else to do without one. */
export function didYouMean(nearest: readonly string[], otherwise: string): string {
  if (nearest.length === 0) return otherwise
  return `Did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}?`
}

/** Compare by UTF-16 code unit: the same order on every machine, whatever its language. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
