import { activeSkills, assessSkill } from '../../engine/standing/assess-skill.ts'
import { toolChangedWarning, violatedPin } from '../../engine/standing/remembered-approval.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/** Something a host should know about how its session opened. Each has an entry in the log. */
export interface OpeningNotice {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Skills that stay off because their definition is not the one the session activated. */
export function changedSkills({ store, surroundings }: SessionParts): readonly OpeningNotice[] {
  const { state } = store.getState()
  return activeSkills(state).flatMap((skill) => {
    if (assessSkill(state, surroundings, skill).status !== 'changed') return []
    const gone = !surroundings.catalog.skills.has(skill)
    return [
      {
        code: gone ? 'skill-gone' : 'skill-changed',
        message: gone
          ? `The active skill "${skill}" is gone from the catalog; its tools stay off.`
          : `The active skill "${skill}" changed since the session activated it; its tools stay off.`,
        hint: gone ? 'Bring it back, or put it away.' : `Accept it with acceptSkill("${skill}").`,
      },
    ]
  })
}

/** Tools in quarantine: their definition is not one that was agreed to. */
export function changedTools({
  store,
  surroundings,
}: Pick<SessionParts, 'store' | 'surroundings'>): readonly OpeningNotice[] {
  const { state } = store.getState()
  if (state.pins.length === 0) return []
  return toolTable(state, surroundings)
    .rows.filter((row) => row.status === 'changed' && violatedPin(row, state) !== undefined)
    .map(({ name }) => toolChangedWarning(name))
}
