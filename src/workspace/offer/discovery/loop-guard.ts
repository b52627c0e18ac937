import { normaliseQuery } from '../../../engine/model/discovery-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import type { SearchPage } from './search-page.ts'

/** When a search is answered with advice to stop. Each limit counts within one turn. */
export interface LoopGuard {
  /** How often the same query is searched for; 1, so that the second one is told so. */
  readonly sameQuery: number
  /** Searches in a row that find nothing; with 3, the third says to stop. */
  readonly emptyInARow: number
  /** How often the model may put one skill away and load it again; 2. */
  readonly flaps: number
}

/** How searches can go round in circles. */
type SearchLoop = 'same-query' | 'empty-results'

/** Why a query is not searched for now; null when it is. Only this turn's searches count. */
export function stopBefore(
  { searches }: Pick<WorkspaceState, 'searches'>,
  query: string,
  limits: LoopGuard,
): SearchLoop | null {
  const asked = normaliseQuery(query)
  const same = searches.filter((one) => one.query === asked).length
  if (same >= limits.sameQuery) return 'same-query'
  return emptyInARow(searches) >= limits.emptyInARow ? 'empty-results' : null
}

/** Whether the search that found nothing just now was the last in vain. */
export function stopAfterEmpty(
  { searches }: Pick<WorkspaceState, 'searches'>,
  limits: LoopGuard,
): SearchLoop | null {
  return emptyInARow(searches) + 1 >= limits.emptyInARow ? 'empty-results' : null
}

/** Whether a skill that was put away so often in this turn may not be loaded again in it. */
export function isFlapping(
  { flaps }: Pick<WorkspaceState, 'flaps'>,
  skill: string,
  limits: LoopGuard,
): boolean {
  return (flaps.find((one) => one.skill === skill)?.times ?? 0) >= limits.flaps
}

function emptyInARow(searches: WorkspaceState['searches']): number {
  return searches.length - 1 - searches.findLastIndex(({ empty }) => !empty)
}

/** The answer that ends a loop: it says why, and what to do instead. */
export function stopPage(
  stopped: SearchLoop,
  found: readonly { readonly name: string }[],
): SearchPage {
  const names = found.slice(-MAX_NAMED).map(({ name }) => sanitiseLine(name))
  const instruction = [
    {
      'same-query': 'Stop: this search was made before in this turn, and finds the same again.',
      'empty-results': 'Stop searching: nothing was found several times in a row.',
    }[stopped],
    names.length > 0 && `Tools found so far: ${names.join(', ')}.`,
    'Go on with what there is, or say what cannot be done.',
  ].filter((one) => one !== false)
  return {
    tools: [],
    skills: [],
    rules: '',
    instruction: instruction.join(' '),
    confidence: 0,
    shortened: [],
    stopped,
  }
}

/** Found tools that are named again. */
const MAX_NAMED = 10
