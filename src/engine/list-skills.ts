import type { Skill } from '../skills/skill.ts'
import { activeSkills, skillStanding } from './skill-standing.ts'
import type { WorkspaceState } from './state.ts'
import type { SkillStatus } from './status.ts'
import type { Surroundings } from './surroundings.ts'

export interface SkillListing {
  readonly name: string
  /** Absent for an active skill that is gone from the catalog. */
  readonly skill: Skill | undefined
  readonly status: SkillStatus
}

/** Every skill a session knows of, shadowed ones too, in the catalog's order. */
export function listSkills(
  state: WorkspaceState,
  surroundings: Surroundings,
  pending: readonly string[] = [],
): readonly SkillListing[] {
  const { skills, shadowedSkills } = surroundings.catalog
  const gone = activeSkills(state).filter((name) => !skills.has(name))
  const statusOf = (name: string) => skillStanding(state, surroundings, name, pending).status
  return [
    ...[...skills].map(([name, skill]) => ({ name, skill, status: statusOf(name) })),
    ...shadowedSkills.map((skill) => ({
      name: skill.name,
      skill,
      status: 'shadowed' as const,
    })),
    ...gone.map((name) => ({ name, skill: undefined, status: statusOf(name) })),
  ]
}
