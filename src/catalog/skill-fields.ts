import type { Skill } from '../skills/definition/skill.ts'
import type { SkillRecord } from '../skills/definition/skill-record.ts'
import { UNRECORDED } from '../skills/definition/unrecorded-members.ts'
import type { ComparedFields } from './diff-fields.ts'

/** The fields of a skill, of a catalog or as a log keeps it, as they are compared. */
export function skillFields(skill: Skill | SkillRecord): ComparedFields {
  return {
    ...plainFields(skill),
    tools: membersOf(skill.tools),
    toolsets: membersOf(skill.toolsets),
    files: new Map(
      skill.files.map(({ path, hash, description = '' }) => [path, hash + description]),
    ),
  }
}

/** The members of a definition that are neither its hash nor code. */
export function plainFields(definition: object): ComparedFields {
  const members = Object.entries(definition)
  return Object.fromEntries(members.filter(([name]) => name !== 'hash' && !UNRECORDED.has(name)))
}

/** Definitions inside another one, by name; a shared one by nothing else. */
export function membersOf(
  members: readonly (string | { readonly name: string; readonly hash: string })[],
): ReadonlyMap<string, string> {
  return new Map(members.map((one) => (typeof one === 'string' ? [one, ''] : [one.name, one.hash])))
}
