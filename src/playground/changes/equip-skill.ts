import { openSkill } from '../../engine/standing/skill-standing.ts'
import type { Lifetime } from '../../skills/definition/skill.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { changeSession, type SessionChange } from './change-session.ts'

/** Equip a skill, or put it away when it is equipped as its turn comes. */
export function toggleSkill(context: PlaygroundContext, skill: string): Promise<void> {
  return changeSession(context, ({ state }) =>
    openSkill(state, skill) === null ? equipping(skill, {}) : puttingAway(skill, false),
  )
}

/** Equip a skill for so long, or by putting away what conflicts with it. */
export function equipSkill(
  context: PlaygroundContext,
  skill: string,
  how: { readonly lifetime?: Lifetime; readonly replace?: boolean } = {},
): Promise<void> {
  return changeSession(context, () => equipping(skill, how))
}

/** Put a skill away with those that require it. */
export function putAwayWithDependents(context: PlaygroundContext, skill: string): Promise<void> {
  return changeSession(context, () => puttingAway(skill, true))
}

function equipping(
  skill: string,
  how: { readonly lifetime?: Lifetime; readonly replace?: boolean },
): SessionChange {
  return {
    doing: `equipping ${skill}`,
    done: `${skill} is equipped`,
    run: (workspace) => workspace.activateSkill(skill, { ...how, by: 'user' }),
  }
}

function puttingAway(skill: string, cascade: boolean): SessionChange {
  return {
    doing: `putting ${skill} away`,
    done: `${skill} is put away`,
    run: (workspace) => workspace.deactivateSkill(skill, { cascade, by: 'user' }),
  }
}
