import type { Entry } from '../../entries/index.ts'

/**
 * Copies entries for a log whose appends wait in a queue, so that later changes by the caller are not
 * written. Throws for values that are not JSON.
 */
export function copyEntries(given: readonly Entry[]): readonly Entry[] {
  return JSON.parse(JSON.stringify(given)) as readonly Entry[]
}
