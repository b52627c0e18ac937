import type { EngineContext } from '../../engine/model/engine-context.ts'
import { openSkill } from '../../engine/standing/assess-skill.ts'
import { skillsLoadedWith } from '../../engine/standing/loading-effect.ts'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { isObject } from '../../kernel/json-value.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { findSkill } from '../../skills/find-skill.ts'
import type { SessionStore } from './session-store.ts'
import { withTimeLimit } from './with-time-limit.ts'

/** Describes a skill that no model may activate without a person's consent; null for any other. */
export type LoadingCheck = (skill: Skill) => Promise<string | null> | string | null

/** The parts of a session that the question depends on. */
interface LoadingParts {
  readonly store: SessionStore
  readonly context: EngineContext
  /** Undefined when the host asks about no skill. */
  readonly loading: LoadingCheck | undefined
}

/**
 * Returns what a person has to know before a model activates a skill, with those that it requires; null when nobody is
 * asked. An active skill, and a name without a skill, lead to no question.
 */
export async function loadingQuestion(
  name: string,
  { store, context, loading }: LoadingParts,
): Promise<string | null> {
  const { skills } = context.catalog
  const found = findSkill(name, skills)
  if (loading === undefined || !found.ok) return null
  const { state } = store.getState()
  if (openSkill(state, found.name) !== null) return null
  const texts: string[] = []
  for (const skill of skillsLoadedWith(found.name, state, context)) {
    const definition = skills.get(skill)
    const text = definition && (await loading(definition))
    if (text) texts.push(text)
  }
  return texts.length === 0 ? null : texts.join('\n\n')
}

/** Returns true when a person is asked before a skill is loaded, also when the check fails or does not answer in time. */
export async function isAskedAbout(
  skill: string,
  parts: LoadingParts & {
    readonly limits: { readonly checkMs: number }
    readonly closing: AbortController
  },
): Promise<boolean> {
  const { loading, limits, closing } = parts
  if (loading === undefined) return false
  const ask = () => loadingQuestion(skill, parts)
  try {
    return (await withTimeLimit('The check', limits.checkMs, ask, closing.signal)) !== null
  } catch {
    return true
  }
}

/**
 * Returns the digest of the skills that a call of `loadSkill` would load: consent is bound to it. Null for arguments
 * that name no skill.
 */
export function loadedDigest(
  input: unknown,
  { store, context }: Pick<LoadingParts, 'store' | 'context'>,
): ContentHash | null {
  const { skills } = context.catalog
  const name = isObject(input) ? input['skillName'] : null
  const found = typeof name === 'string' ? findSkill(name, skills) : null
  if (!found?.ok) return null
  const loaded = skillsLoadedWith(found.name, store.getState().state, context)
  return contentHash(loaded.map((one) => skills.get(one)?.hash ?? null))
}
