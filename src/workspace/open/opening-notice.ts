import { activeSkills, assessSkill } from '../../engine/standing/assess-skill.ts'
import { toolChangedWarning, violatedPin } from '../../engine/standing/remembered-approval.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/** An event of an opening that a host should know. Each has an entry in the log. */
export interface OpeningNotice {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Returns notices of active skills whose definition changed since the session activated them. */
export function changedSkills({ store, context }: SessionParts): readonly OpeningNotice[] {
  const { state } = store.getState()
  return activeSkills(state).flatMap((skill) => {
    if (assessSkill(state, context, skill).status !== 'changed') return []
    const gone = !context.catalog.skills.has(skill)
    return [
      {
        code: gone ? 'skill-gone' : 'skill-changed',
        message: gone
          ? `The active skill "${skill}" is no longer in the catalog; its tools are disabled.`
          : `The active skill "${skill}" changed since the session activated it; its tools are disabled.`,
        hint: gone
          ? 'Add it to the catalog again, or deactivate it.'
          : `Accept it with acceptSkill("${skill}").`,
      },
    ]
  })
}

/** Returns notices of tools in quarantine, whose definition is not the approved one. */
export function changedTools({
  store,
  context,
}: Pick<SessionParts, 'store' | 'context'>): readonly OpeningNotice[] {
  const { state } = store.getState()
  if (state.pins.length === 0) return []
  return toolTable(state, context)
    .rows.filter((row) => row.status === 'changed' && violatedPin(row, state) !== undefined)
    .map(({ name }) => toolChangedWarning(name))
}
