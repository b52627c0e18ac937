import type { SkillListing } from '../../engine/standing/list-skills.ts'
import { openSkill } from '../../engine/standing/skill-standing.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'

/** How much longer a skill stays equipped; empty for one that is not. */
export function lifetimeText(state: WorkspaceState, { name, status }: SkillListing): string {
  const open = status === 'shadowed' ? null : openSkill(state, name)
  if (open === null) return ''
  const { lifetime, usesLeft, turn, lastTurn } = open
  const left = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} left`
  if (usesLeft !== null) return left(usesLeft, 'use')
  if (lifetime === 'session' || 'uses' in lifetime) return 'session'
  const over = Math.max(0, state.turn - ('turns' in lifetime ? turn : lastTurn))
  return 'turns' in lifetime
    ? left(lifetime.turns - over, 'turn')
    : left(lifetime.idle - Math.max(0, over - 1), 'idle turn')
}
