import type { Command } from '../model/command.ts'
import type { Decision } from './decision.ts'
import { openSkill } from '../standing/skill-standing.ts'
import type { WorkspaceState } from '../model/state.ts'

type Resume = Extract<Command, { type: 'skill.resume' }>

/**
 * Plan the `onActivate` of a skill that another process activated. It changes nothing unless it
 * fails, and is not run for an activation that has ended meanwhile.
 */
export function decideSkillResume(state: WorkspaceState, { skill, since }: Resume): Decision {
  const isThere = openSkill(state, skill)?.since === since
  const isBroken = state.broken.some((one) => one.skill === skill)
  return isThere && !isBroken
    ? {
        kind: 'planned',
        wanted: skill,
        hooks: [{ skill, hook: 'onActivate', resumed: true }],
        drafts: [],
      }
    : { kind: 'accepted', drafts: [] }
}
