import type { Entry } from '../../engine/model/event.ts'

/**
 * A log's own copy of entries, to be made the moment they are given: what the caller does to them while
 * the append waits for its turn is not written. Throws for what is no JSON.
 */
export function ownEntries(given: readonly Entry[]): readonly Entry[] {
  return JSON.parse(JSON.stringify(given)) as readonly Entry[]
}
