import type { Entry } from '../../../src/engine/model/workspace-event.ts'

/** A session's entries from `from` up to and without `to`, no two alike. */
export function someEntries(from: number, to: number, note = ''): readonly Entry[] {
  return Array.from({ length: to - from }, (_, index) => ({
    seq: from + index,
    at: 1_000 + from + index,
    cause: { by: 'host' },
    event: { type: 'component.updated', component: 'notes', state: { note, at: from + index } },
  }))
}
