import type { Cause } from '../../engine/model/cause.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import { assess, stateFor } from '../../engine/standing/assess.ts'
import { openSkill } from '../../engine/standing/assess-skill.ts'
import { skillLoadedByCall } from '../../engine/standing/findable-tools.ts'
import { skillsLoadedWith } from '../../engine/standing/loading-effect.ts'
import { contentHash, type ContentHash } from '../../kernel/content-hash.ts'
import { isObject } from '../../kernel/json-value.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { findSkill } from '../../skills/find-skill.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Outcome } from './outcome.ts'
import type { SessionStore } from './session-store.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
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

interface AskingParts extends LoadingParts {
  readonly limits: { readonly checkMs: number }
  readonly closing: AbortController
}

/** Returns true when a person is asked before a skill is loaded, also when the check fails or does not answer in time. */
export async function isAskedAbout(skill: string, parts: AskingParts): Promise<boolean> {
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

/**
 * Activates the skill that a call of a found tool needs, with the usual command: hooks, conflicts and
 * permissions apply. Null when the call needs no skill, or the skill was activated.
 *
 * Another process may have found an unregistered tool, or activated its skill: the log is read before the
 * call is judged.
 *
 * The code of a refusal is the status of the tool, as for every refused call. Its message says why the
 * skill was not activated.
 */
export async function activateFound(
  { tool, caller }: { readonly tool: string; readonly caller: Caller },
  cause: Cause,
  parts: AskingParts & { readonly dispatcher: Dispatcher },
): Promise<Extract<Outcome, { ok: false }> | null> {
  const { store, context, dispatcher } = parts
  const now = () => stateFor(caller, store.getState().state)
  let loading = skillLoadedByCall(now(), context, tool)
  if (loading === null && assess(now(), context, tool).kind === 'unregistered') {
    await dispatcher.catchUp()
    loading = skillLoadedByCall(now(), context, tool)
  }
  // Only a call of `loadSkill` can ask.
  if (loading === null || (await isAskedAbout(loading.skill, parts))) return null
  const { skill } = loading
  const command = { type: 'skill.activate' as const, skill, unlessActive: true }
  const outcome = await dispatcher.dispatch(command, cause, { drain: true })
  if (outcome.ok) return null
  const { code, message, hint, facts } = outcome
  return {
    ...outcome,
    code: 'skill-inactive',
    message: `The tool "${tool}" is not available (skill-inactive): its skill "${skill}" could not be loaded. ${message}`,
    hint,
    facts: { ...facts, tool, skill, activation: code },
  }
}
