import { openSkill } from '../../../engine/standing/skill-standing.ts'
import { ToolError } from '../../../tools/response/tool-error.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import type { MetaHost } from './meta-host.ts'
import { assertWhole, skillNamed } from './skill-argument.ts'

/** The skill a model named, which has to be loaded, and to be what the session activated. */
export function loadedSkill(name: string, host: MetaHost): Skill {
  const skill = skillNamed(name, host)
  if (openSkill(host.state(), skill.name) === null) {
    throw new ToolError(
      'UNAVAILABLE',
      `The skill "${skill.name}" is not loaded. Call loadSkill first.`,
      { details: { code: 'skill-inactive', skill: skill.name } },
    )
  }
  assertWhole(skill, host)
  return skill
}
