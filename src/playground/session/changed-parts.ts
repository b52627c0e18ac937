import type { SkillTool } from '../../catalog/create/catalog.ts'
import type { Skill } from '../../skills/definition/skill.ts'

/** A skill with all the tools it brings. */
interface WholeSkill {
  readonly skill: Skill
  readonly tools: readonly SkillTool[]
}

/** What differs between two definitions of a skill, in words; empty when they are the same. */
export function changedParts(was: WholeSkill, is: WholeSkill): readonly string[] {
  const tools = changedTools(was.tools, is.tools)
  if (was.skill.hash === is.skill.hash && tools.length === 0) return []
  const parts = [
    ...(was.skill.workDirection === is.skill.workDirection ? [] : ['instructions']),
    ...(was.skill.description === is.skill.description ? [] : ['description']),
    ...(tools.length === 0 ? [] : [`tools (${tools.join(' ')})`]),
    ...(digest(was.skill.files) === digest(is.skill.files) ? [] : ['files']),
  ]
  return parts.length === 0 ? ['settings'] : parts
}

/** `+` came, `-` went, `~` is another one. */
function changedTools(was: readonly SkillTool[], is: readonly SkillTool[]): readonly string[] {
  const before = new Map(was.map(({ tool }) => [tool.name, tool.hash]))
  const after = new Map(is.map(({ tool }) => [tool.name, tool.hash]))
  return [
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `+${name}`),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => `-${name}`),
    ...[...after]
      .filter(([name, hash]) => before.has(name) && before.get(name) !== hash)
      .map(([name]) => `~${name}`),
  ]
}

function digest(files: Skill['files']): string {
  return JSON.stringify(files.map(({ path, hash, description }) => [path, hash, description]))
}
