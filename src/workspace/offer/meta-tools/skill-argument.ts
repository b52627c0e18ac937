import { fixForSkill, reasonsForSkill } from '../../../engine/explain/explain-skill.ts'
import { assessSkill, openSkill } from '../../../engine/standing/assess-skill.ts'
import type { JsonSchema } from '../../../kernel/json-value.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { findSkill } from '../../../skills/find-skill.ts'
import { ToolError } from '../../../tools/response/error-type.ts'
import { MAX_ENUM_IDS } from './meta-tool-name.ts'
import type { MetaToolParts } from './meta-tool.ts'

/**
 * The advertised schema of a skill's name: its ids as an enum while they are few. It is fixed
 * for the session, so that a request's tools never change with what is loaded.
 */
export function skillArgument({ loadable }: MetaToolParts): JsonSchema {
  // An enum says what to give by itself, and every request pays for a word more.
  return loadable.length <= MAX_ENUM_IDS
    ? { type: 'string', enum: loadable }
    : { type: 'string', description: 'The id of the skill, as listed.' }
}

/** The skill a model named, by id, display name or alias; fails with the nearest ids. */
export function skillNamed(name: string, { surroundings }: MetaToolParts): Skill {
  const { catalog } = surroundings
  const found = findSkill(name, catalog.skills)
  const skill = found.ok ? catalog.skills.get(found.name) : undefined
  if (skill) return skill
  const nearest = found.ok ? [] : found.nearest
  const hint =
    nearest.length === 0 ? '' : ` The nearest: ${nearest.map((one) => `"${one}"`).join(', ')}.`
  throw new ToolError('NOT_FOUND', `No skill is named "${name}".${hint}`, {
    details: { code: 'skill-unknown', nearest },
  })
}

/**
 * Fail for an active skill that is quarantined or broken: a model reads the text a session
 * activated, not what the catalog has now.
 */
export function assertIntact({ name }: Skill, { store, surroundings }: MetaToolParts): void {
  const { state } = store.getState()
  const assessment = assessSkill(state, surroundings, name)
  const { status } = assessment
  if (status === 'active') return
  // Without what changed: whoever changed the skill must not speak to the model by that.
  const why = reasonsForSkill(assessment, state, surroundings).at(-1)?.text ?? ''
  const fix = fixForSkill(assessment, surroundings)
  throw new ToolError('UNAVAILABLE', `The skill "${name}" is ${status}: ${why} ${fix}`.trim(), {
    details: { code: status, skill: name, hint: fix },
  })
}

/** A refusal of the engine, as the failure of the tool that gave the command. */
export function refusalToToolError(error: {
  code: string
  message: string
  hint: string
}): ToolError {
  const type = error.code === 'skill-unknown' ? 'NOT_FOUND' : 'UNAVAILABLE'
  return new ToolError(type, `${error.message} ${error.hint}`.trim(), {
    partialSideEffects: false,
    details: { code: error.code, hint: error.hint },
  })
}

/** The skill a model named, which has to be loaded, and to be what the session activated. */
export function loadedSkill(name: string, parts: MetaToolParts): Skill {
  const skill = skillNamed(name, parts)
  if (openSkill(parts.store.getState().state, skill.name) === null) {
    throw new ToolError(
      'UNAVAILABLE',
      `The skill "${skill.name}" is not loaded. Call loadSkill first.`,
      { details: { code: 'skill-inactive', skill: skill.name } },
    )
  }
  assertIntact(skill, parts)
  return skill
}
