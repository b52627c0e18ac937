import type { ExtractionState } from '../model/discovery-state.ts'
import type { ExtractionResult } from '../model/memory-event.ts'

/**
 * Results in a row without what a tool promises that make drift. One may be an odd answer; two are
 * a habit. A function that throws is wrong the first time.
 */
const DRIFT_AFTER = 2

/** How the results of a tool are taken up, after one more. */
export function takeUp(
  known: ExtractionState | undefined,
  { tool, last, found, seq }: { tool: string; last: ExtractionResult; found: number; seq: number },
): ExtractionState {
  const { results = 0, entities = 0, missed = 0, drifting = false } = known ?? {}
  const after = { tool, results: results + 1, entities: entities + found, last, lastSeq: seq }
  switch (last) {
    case 'extracted':
      return { ...after, missed: 0, drifting: false }
    case 'empty':
      return { ...after, missed, drifting }
    case 'nothing-extracted':
    case 'unlike-schema':
      return { ...after, missed: missed + 1, drifting: drifting || missed + 1 >= DRIFT_AFTER }
    case 'threw':
      return { ...after, missed: missed + 1, drifting: true }
  }
}
