import { defineSkill, type SkillDefinition } from '../../src/skills/definition/define-skill.ts'
import type { Skill } from '../../src/skills/definition/skill.ts'

/** Skills by name, each with what is given and a description. */
export function skillsOf(
  definitions: Readonly<Record<string, Omit<Partial<SkillDefinition>, 'name'>>>,
): ReadonlyMap<string, Skill> {
  return new Map(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      defineSkill({ description: 'Any.', ...definition, name }),
    ]),
  )
}
