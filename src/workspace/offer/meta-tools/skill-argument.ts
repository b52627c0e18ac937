import type { Refusal } from '../../../engine/model/command.ts'
import { CONTINUE_WITHOUT } from '../../../engine/explain/obstacle-to.ts'
import { fixForSkill, reasonsForSkill } from '../../../engine/explain/explain-skill.ts'
import { assessSkill, openSkill } from '../../../engine/standing/assess-skill.ts'
import { skillMissing } from '../../../engine/standing/unread-skills.ts'
import type { JsonSchema } from '../../../kernel/json-value.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { findSkill } from '../../../skills/find-skill.ts'
import { type ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import { MAX_ENUM_IDS } from './meta-tool-name.ts'
import type { MetaToolParts } from './meta-tool.ts'

/**
 * Returns the advertised schema of a skill's name: an enum of ids while they are few. It is fixed for the
 * session, so that a request's tools do not change with the active skills.
 */
export function skillArgument({ loadable }: MetaToolParts): JsonSchema {
  // An enum needs no description, which every request would pay for.
  return loadable.length <= MAX_ENUM_IDS
    ? { type: 'string', enum: loadable }
    : { type: 'string', description: 'The id of the skill, as listed.' }
}

/** Returns the skill a model named, by id, display name or alias; fails with the nearest ids. */
export function skillNamed(name: string, { context }: MetaToolParts): Skill {
  const { catalog } = context
  const found = findSkill(name, catalog.skills)
  const skill = found.ok ? catalog.skills.get(found.name) : undefined
  if (skill) return skill
  const nearest = found.ok ? [] : found.nearest
  const missing = skillMissing(name, nearest, catalog)
  if (missing.code !== 'skill-unknown') throw refusalToToolError(missing)
  const hint =
    nearest.length === 0 ? '' : ` The nearest: ${nearest.map((one) => `"${one}"`).join(', ')}.`
  throw new ToolError('NOT_FOUND', `No skill is named "${name}".${hint}`, {
    details: { code: 'skill-unknown', nearest },
  })
}

/**
 * Fails for an active skill that is quarantined or broken: a model reads the text that the session
 * activated, not the catalog's current text.
 */
export function assertIntact({ name }: Skill, { store, context }: MetaToolParts): void {
  const { state } = store.getState()
  const assessment = assessSkill(state, context, name)
  const { status } = assessment
  if (status === 'active') return
  // Without the changed text: the author of the change must not reach the model by this message.
  const why = reasonsForSkill(assessment, state, context).at(-1)?.text ?? ''
  const fix = fixForSkill(assessment, context)
  const advice = `The skill "${name}" is ${status}: ${why} ${CONTINUE_WITHOUT}`
  throw new ToolError('UNAVAILABLE', advice, {
    details: { code: status, skill: name, hint: fix },
  })
}

/** Turns a refusal of the engine into the failure of the tool that gave the command, as a model reads it. */
export function refusalToToolError({
  code,
  message,
  hint,
  forModel = hint,
}: Omit<Refusal, 'facts'>): ToolError {
  return new ToolError(ERROR_TYPES.get(code) ?? 'UNAVAILABLE', `${message} ${forModel}`.trim(), {
    partialSideEffects: false,
    details: { code, hint },
  })
}

const ERROR_TYPES: ReadonlyMap<string, ErrorType> = new Map([
  ['skill-unknown', 'NOT_FOUND'],
  ['denied', 'DENIED'],
])

/** Returns the skill a model named; fails unless it is active and unchanged since its activation. */
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
