import type { Skill } from '../../../entries/index.ts'
import type { SkillScope } from '../../project/config/skill-scope.ts'
import type { SwitchedOff } from '../../project/config/skill-switches.ts'

/** Turns skills of the project off and on. The command that opened the screen knows where that is kept. */
export interface SkillDesk {
  /** Returns the scope that a skill was read from. */
  scopeOf(skill: Pick<Skill, 'path'> | undefined): SkillScope
  /** Keeps that skills are off, or on again, for all later sessions. Returns the rules of all skills that are off. */
  turn(skills: readonly string[], off: boolean): Promise<SwitchedOff>
}
