import type { Draft } from '../../engine/model/event.ts'

/** The skills that leave by some entries. */
export function closedSkills(drafts: readonly Draft[]): readonly string[] {
  return drafts.flatMap(({ event }) =>
    event.type === 'source.closed' && event.source === 'skill' ? [event.owner] : [],
  )
}
