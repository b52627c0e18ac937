import type { Entry } from '../../engine/model/event.ts'
import { describeCause } from '../../engine/explain/describe-cause.ts'
import { describeEvent } from '../../engine/explain/describe-event.ts'
import { identityMemo } from '../../render/prompt/document/identity-memo.ts'
import { matchesFilter } from '../rows/matches-filter.ts'

const kept = identityMemo<readonly Entry[]>()

/**
 * The entries whose number, cause or event, in words, hold the words of a filter.
 *
 * @param foreign numbers of those that `another process` finds, too
 */
export function matchingEntries(
  entries: readonly Entry[],
  filter: string,
  foreign: ReadonlySet<number>,
): readonly Entry[] {
  if (filter === '') return entries
  return kept([entries, foreign], filter, () =>
    entries.filter(({ seq, cause, event }) =>
      matchesFilter(filter, [
        `#${seq}`,
        describeCause(cause),
        describeEvent(event),
        foreign.has(seq) ? 'another process' : '',
      ]),
    ),
  )
}
