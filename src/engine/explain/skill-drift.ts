import type { FieldChange } from '../../catalog/definition-change.ts'
import { diffFields } from '../../catalog/diff-fields.ts'
import { skillFields } from '../../catalog/skill-fields.ts'
import { skillStanding } from '../standing/skill-standing.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

/**
 * How a skill of the catalog differs from the one that the session activated; null where it does not,
 * is gone, or the log has not kept it.
 */
export function skillDrift(
  state: WorkspaceState,
  surroundings: Surroundings,
  name: string,
): readonly FieldChange[] | null {
  const { open } = skillStanding(state, surroundings, name)
  const now = surroundings.catalog.skills.get(name)
  const activated = open?.definition ? surroundings.skill(open.definition) : undefined
  if (now === undefined || activated === undefined) return null
  return diffFields(skillFields(activated), skillFields(now))
}
