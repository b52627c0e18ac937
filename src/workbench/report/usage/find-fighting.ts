import { confusedPairs, type ToolDocument } from '../../../entries/search.ts'
import type { SessionUsage } from './session-usage.ts'

/** Two descriptions that messages do not distinguish. */
export interface FightingPair {
  /** True when both say the same. */
  readonly isDuplicate: boolean
  readonly first: string
  readonly second: string
  readonly kind: 'skill' | 'tool'
  /** The words that both have. */
  readonly words: readonly string[]
}

/** Finds the skills of sessions, and the tools of their servers, whose descriptions are confused. */
export function findFighting(sessions: readonly SessionUsage[]): readonly FightingPair[] {
  const documents = new Map<string, ToolDocument>()
  // Those of the latest sessions count.
  for (const { skills, tools } of sessions.toSorted((a, b) => a.until - b.until)) {
    for (const { name, description } of skills)
      if (description !== '') documents.set(`skill ${name}`, { name, description, kind: 'skill' })
    for (const { name, description, server } of tools)
      if (description !== '') documents.set(`tool ${name}`, { name, description, owner: server })
  }
  return confusedPairs(documents.values()).flatMap(({ first, second, words }) => {
    if (first.kind !== second.kind) return []
    const [one, other] = [first, second].map(({ kind, name }) =>
      plain(documents.get(`${kind} ${name}`)?.description ?? ''),
    )
    const names = { first: first.name, second: second.name, kind: first.kind }
    return { isDuplicate: one === other, ...names, words }
  })
}

function plain(description: string): string {
  return description
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
