import type { EngineContext } from '../model/engine-context.ts'
import type { Rule } from '../model/policy.ts'
import {
  type Claim,
  isMeta,
  LOAD_SKILL,
  LOAD_SKILL_FILE,
  META_OWNER,
  type OpenSource,
} from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill, openSkill } from './assess-skill.ts'
import { judgePermission, type Permission } from './permission.ts'
import { whereMatches } from './where-matches.ts'
import { isObject } from '../../kernel/json-value.ts'
import { findSkillFile } from '../../skills/find-skill-file.ts'
import { findSkill } from '../../skills/find-skill.ts'

/** A tool that a model calls, registered or found. */
export interface CalledTool {
  readonly claim: Pick<Claim, 'name' | 'definedAs'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
}

/**
 * Returns the effect of the rules about `loadSkill` on another way in which a model activates a skill: the first call
 * of a found tool. `deny` when the rules deny it, `loadSkill` is switched off, or the skill is left to people; `ask`
 * when a person is asked first, or a function decides about each call; null when a model may load the skill. Rules hold
 * for the skills that it requires, too.
 */
export function loadingEffect(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): LoadingJudgement['effect'] {
  return judgeLoading(skill, state, context).effect
}

/** The effect of the rules about `loadSkill`, and what decided: a rule, or null for the skill or a switch. */
export interface LoadingJudgement {
  readonly effect: 'deny' | 'ask' | null
  readonly permission: Permission | null
}

/** Judges the rules about `loadSkill`; see `loadingEffect`. */
export function judgeLoading(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): LoadingJudgement {
  if (context.catalog.leftToPeople.has(skill)) return DENIED
  const names = skillsLoadedWith(skill, state, context)
  const forms = (all: readonly string[]) => all.map((skillName) => ({ skillName }))
  const spellings = forms(otherNames(names, context))
  return judgeMeta(LOAD_SKILL, { forms: forms(names), spellings }, state)
}

const DENIED: LoadingJudgement = { effect: 'deny', permission: null }

/** Judges the rules about a meta-tool for another way to what it gives. */
function judgeMeta(
  name: string,
  { forms, spellings }: SkillForms,
  { policy, disabled }: Pick<WorkspaceState, 'policy' | 'disabled'>,
): LoadingJudgement {
  if (disabled.some(({ tool }) => tool === name)) return DENIED
  const permission = judgePermission(policy, {
    claim: { name, definedAs: name },
    source: { source: 'global', owner: META_OWNER },
    tool: { risk: 'safe' },
    isMeta: true,
    lists: [],
    where: whereMatches(policy, forms, spellings),
  })
  const { effect } = permission
  // The function of a rule is asked about a call of the meta-tool only, so the model has to make that call.
  const isAsked = effect === 'deny' && permission.by === 'host' && hasFunction(permission.rule)
  return { effect: isAsked ? 'ask' : effect === 'allow' ? null : effect, permission }
}

/**
 * Returns whether a model may read the text of a skill, or one of its files, where it makes no call: by the rules about
 * `loadSkill`, unless the skill is active, and for a file by those about `loadSkillFile`. `ask` also when the function of
 * a rule decides.
 */
export function judgeReading(
  skill: string,
  path: string | null,
  state: WorkspaceState,
  context: EngineContext,
): LoadingJudgement['effect'] {
  const isActive = openSkill(state, skill) !== null
  const loading = isActive ? null : loadingEffect(skill, state, context)
  if (path === null || loading === 'deny') return loading
  const claim = { name: LOAD_SKILL_FILE, definedAs: LOAD_SKILL_FILE }
  const called = { claim, owner: { source: 'global', owner: META_OWNER } } as const
  const forms = skillForms(called, { skillName: skill, path }, state, context)
  return judgeMeta(LOAD_SKILL_FILE, forms, state).effect ?? loading
}

function hasFunction(rule: Rule): boolean {
  return typeof rule !== 'string' && rule.when !== undefined
}

/** The arguments of a meta-tool with the names of skills that rules may have instead of the given one. */
interface SkillForms {
  /** With the id of the skill and the path of the file, and for `loadSkill` with each skill that it requires. */
  readonly forms: readonly unknown[]
  /** With the display name and the aliases of each of them. */
  readonly spellings: readonly unknown[]
}

/** Returns the arguments of a meta-tool in every form that rules look at, in addition to the given one. */
export function skillForms(
  { claim, owner }: CalledTool,
  input: unknown,
  state: WorkspaceState,
  context: EngineContext,
): SkillForms {
  const none = { forms: [], spellings: [] }
  if (!isMeta(owner) || !isObject(input) || typeof input['skillName'] !== 'string') return none
  const found = findSkill(input['skillName'], context.catalog.skills)
  if (!found.ok) return none
  const names =
    claim.name === LOAD_SKILL ? skillsLoadedWith(found.name, state, context) : [found.name]
  const skill = context.catalog.skills.get(found.name)
  const { path } = input
  const file = skill && typeof path === 'string' ? findSkillFile(skill, path) : null
  const named = (skillName: string) => ({ ...input, skillName, ...(file && { path: file.path }) })
  return { forms: names.map(named), spellings: otherNames(names, context).map(named) }
}

/** Returns the display names and aliases of skills. */
function otherNames(skills: readonly string[], { catalog }: EngineContext): readonly string[] {
  return skills.flatMap((name) => {
    const skill = catalog.skills.get(name)
    return skill === undefined ? [] : [skill.displayName, ...skill.aliases]
  })
}

/**
 * Returns the skills that activating one would activate: itself, and those that it requires. If it cannot be activated
 * now, all that are inactive count: the obstacle may be gone when the turn of the activation comes.
 */
export function skillsLoadedWith(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): readonly string[] {
  const { plan } = assessSkill(state, context, skill)
  if (plan !== null) return plan.enter.map((one) => one.skill)
  const names = new Set([skill])
  for (const name of names) {
    for (const required of context.catalog.skills.get(name)?.requires ?? []) {
      if (openSkill(state, required) === null) names.add(required)
    }
  }
  return [...names]
}
