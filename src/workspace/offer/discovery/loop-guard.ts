import { normaliseQuery } from '../../../engine/model/discovery-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'

/** Limits after which a search is answered with advice to stop. Each counts within one turn. */
export interface LoopGuard {
  /** Searches for the same query; 1 when absent, so that the second one is stopped. */
  readonly sameQuery: number
  /** Searches in a row that find nothing; with 3, the default, the third one is stopped. */
  readonly emptyInARow: number
  /** Times the model may deactivate one skill and activate it again; 2 when absent. */
  readonly flaps: number
}

/** A way in which searches repeat without result. */
export type SearchLoop = 'same-query' | 'empty-results'

/** Returns the reason not to search for a query now; null to search. Only this turn's searches count. */
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

/** Returns the reason to stop after a search that found nothing; null when the model may search again. */
export function stopAfterEmpty(
  { searches }: Pick<WorkspaceState, 'searches'>,
  limits: LoopGuard,
): SearchLoop | null {
  return emptyInARow(searches) + 1 >= limits.emptyInARow ? 'empty-results' : null
}

/** Returns true when a skill was deactivated too often in this turn to be activated again in it. */
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
