import { activeSkills, skillStanding } from '../../engine/standing/skill-standing.ts'
import type { OpeningNotice } from './opening-notice.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/** Skills that stay off because their definition is not the one the session activated. */
export function changedSkills({ store, surroundings }: SessionParts): readonly OpeningNotice[] {
  const { state } = store.getState()
  return activeSkills(state).flatMap((skill) => {
    if (skillStanding(state, surroundings, skill).status !== 'changed') return []
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
