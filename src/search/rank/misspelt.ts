import { distance } from 'fastest-levenshtein'
import { squashName } from '../words/squash-name.ts'
import { byPoints, type Candidate } from './candidate.ts'

const SHORTEST = 4
/** From so many letters on two slips are forgiven, below it one. */
const LONG_NAME = 14
/** Characters of a query that are compared; a name is shorter. */
const LONGEST_QUERY = 200

/** The candidate whose name a query is but for a slip of the finger; undefined when none is. */
export function misspelt(query: string, candidates: readonly Candidate[]): Candidate | undefined {
  const wanted = squashName(query.slice(0, LONGEST_QUERY))
  if (wanted.length < SHORTEST) return undefined
  const allowed = wanted.length >= LONG_NAME ? 2 : 1
  const near = candidates.flatMap((candidate) => {
    const { name, bare } = candidate.held
    const edits = Math.min(...[name, bare].map((one) => editsBetween(wanted, squashName(one))))
    return edits <= allowed ? [{ candidate, edits }] : []
  })
  return near.sort((a, b) => a.edits - b.edits || byPoints(a.candidate, b.candidate))[0]?.candidate
}

function editsBetween(a: string, b: string): number {
  return Math.abs(a.length - b.length) > 2 ? Infinity : distance(a, b)
}
