import type { FactState } from '../model/fact-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { sameOwner } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill, openSkill, type SkillStatus } from './assess-skill.ts'
import { judgeLoading, type LoadingJudgement } from './loading-effect.ts'
import { fileMatcher } from './matches-path.ts'
import { placeSkills } from './place-claims.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { matchesPattern } from '../../kernel/matches-pattern.ts'
import type {
  ActivationCondition,
  EndedCall,
} from '../../skills/definition/activation-condition.ts'

/** One member of a condition in a state: the fact by which it holds, or what is missing. */
export type JudgedMember =
  | { readonly holds: true; readonly seq: number; readonly text: string }
  | { readonly holds: false; readonly missing: string }

/** A condition in a state. `since`: the latest of the entries by which it holds; null when it does not hold. */
export interface JudgedCondition {
  readonly members: readonly JudgedMember[]
  readonly since: number | null
}

/** Judges a condition. Reads facts of the state only. */
export function judgeCondition(
  { paths, calls, mode, principal, event }: ActivationCondition,
  state: WorkspaceState,
): JudgedCondition {
  const { facts, policy, opening } = state
  const members: JudgedMember[] = []
  if (paths !== undefined) members.push(judgePaths(paths, facts.paths))
  if (calls !== undefined) members.push(judgeCalls(calls, state))
  if (mode !== undefined) {
    members.push(
      mode.includes(policy.mode)
        ? { holds: true, seq: facts.modeSince, text: `The mode is "${policy.mode}".` }
        : { holds: false, missing: `the mode is ${mode.join(' or ')}` },
    )
  }
  if (principal !== undefined) {
    const isOne = principal.includes(opening?.principal ?? '')
    members.push(
      isOne
        ? { holds: true, seq: 0, text: 'The session is that of a principal it names.' }
        : { holds: false, missing: `the principal is ${principal.join(' or ')}` },
    )
  }
  if (event !== undefined) {
    const noted = facts.events.find((one) => event.includes(one.event))
    members.push(
      noted
        ? { holds: true, seq: noted.seq, text: `The event "${noted.event}" was noted.` }
        : { holds: false, missing: `the host notes the event ${event.join(' or ')}` },
    )
  }
  let since = 0
  for (const one of members) {
    if (!one.holds) return { members, since: null }
    since = Math.max(since, one.seq)
  }
  return { members, since }
}

type UsedPaths = FactState['facts']['paths']

/** Judges patterns of files: one file that they mean is enough. */
export function judgePaths(globs: readonly string[], used: UsedPaths): JudgedMember {
  const first = firstMatch(globs, used)
  return first === null
    ? { holds: false, missing: `a file that matches ${globs.join(' or ')} is used` }
    : { holds: true, seq: first.seq, text: `The file "${first.path}" was used.` }
}

const matches = new WeakMap<UsedPaths, Map<string, UsedPaths[number] | null>>()

/** Returns the first used file that patterns mean. Cached by the list, which changes rarely. */
export function firstMatch(globs: readonly string[], used: UsedPaths): UsedPaths[number] | null {
  const known = matches.get(used) ?? new Map<string, UsedPaths[number] | null>()
  matches.set(used, known)
  const key = JSON.stringify(globs)
  const before = known.get(key)
  if (before !== undefined) return before
  const isMeant = fileMatcher(globs)
  const found = used.find(({ path }) => isMeant?.(path)) ?? null
  known.set(key, found)
  return found
}

function judgeCalls(calls: readonly EndedCall[], { used }: WorkspaceState): JudgedMember {
  for (const { tool, lastResult, lastEnd = 0 } of used) {
    const isOne = (one: EndedCall) =>
      matchesPattern(one.tool, tool) && (one.status ?? lastResult) === lastResult
    if (lastResult !== null && calls.some(isOne)) {
      const text = `The last call of "${tool}" ended with ${lastResult}.`
      return { holds: true, seq: lastEnd, text }
    }
  }
  const named = calls.map(
    ({ tool, status }) => tool + (status === undefined ? '' : ` with ${status}`),
  )
  return { holds: false, missing: `a call ends of ${named.join(' or ')}` }
}

/** The standing of a skill with a condition. */
export type ConditionStanding =
  /** It does not hold. `ends`: it was active because of it, and leaves. */
  | { readonly kind: 'waits'; readonly ends: boolean }
  /** It is active already: because of its condition or for another reason. */
  | { readonly kind: 'active' }
  /** It holds, and something is against the activation. */
  | { readonly kind: 'blocked'; readonly because: string }
  /** It holds, and the rules about `loadSkill` deny the activation, or ask a person first. */
  | { readonly kind: 'denied' | 'asks'; readonly loading: LoadingJudgement }
  | { readonly kind: 'due' }

/**
 * Returns the standing of a skill with a condition. What holds for a call of `loadSkill` holds for the activation by a
 * condition: rules, disable-model-invocation, requirements, conflicts. It makes no other skill leave, and a skill that
 * was deactivated while its condition held stays inactive until a later fact.
 */
export function conditionStanding(
  name: string,
  { since }: JudgedCondition,
  state: WorkspaceState,
  context: EngineContext,
): ConditionStanding {
  const open = openSkill(state, name)
  if (since === null) {
    const isIts = open?.lifetime === 'while'
    return { kind: 'waits', ends: isIts && !hasRunningCalls(open, state) }
  }
  if (open !== null) return { kind: 'active' }
  const closed = state.closed.find(({ source, owner }) => source === 'skill' && owner === name)
  if (closed && closed.seq > since && CHOSEN.has(closed.cause.by)) {
    return blocked(`it was deactivated after that (#${closed.seq})`)
  }
  const { status, plan, obstacle } = assessSkill(state, context, name)
  if (plan === null) return blocked(obstacle?.message ?? NO_PLAN[status] ?? `it is ${status}`)
  const [leaving] = plan.leave
  if (leaving) return blocked(`"${leaving.skill}" would have to be deactivated for it`)
  const placed = placeSkills(plan, { cause: { by: 'host' } }, state, context)
  if (!placed.ok) {
    const { name: tool, holder } = placed.clash
    return blocked(`its tool "${tool}" has the name of a tool of "${holder.owner}"`)
  }
  const loading = judgeLoading(name, state, context)
  if (loading.effect === null) return { kind: 'due' }
  return { kind: loading.effect === 'ask' ? 'asks' : 'denied', loading }
}

const NO_PLAN: Partial<Record<SkillStatus, string>> = {
  'not-permitted': 'it is not on a list of the agent',
}

/** Deactivations that somebody chose. */
const CHOSEN: ReadonlySet<string> = new Set(['user', 'host', 'model', 'tool'])

function blocked(because: string): ConditionStanding {
  return { kind: 'blocked', because }
}

function hasRunningCalls(
  open: NonNullable<ReturnType<typeof openSkill>>,
  { calls }: WorkspaceState,
): boolean {
  return calls.some((call) => sameOwner(call, open) && call.since > open.since)
}

/** A skill to activate or deactivate. `since`: the entry by which its condition holds. */
export interface DueCondition {
  readonly skill: string
  readonly since: number | null
  readonly asks: boolean
}

const NONE_DUE: readonly DueCondition[] = Object.freeze([])

/** Returns the skills to activate or deactivate because of their conditions: those that leave come first. */
export function dueConditions(
  state: WorkspaceState,
  context: EngineContext,
): readonly DueCondition[] {
  const { conditional } = context.catalog
  const leaving: DueCondition[] = []
  const entering: DueCondition[] = []
  for (const one of state.open) {
    if (one.lifetime !== 'while' || conditional?.get(one.owner)?.when !== undefined) continue
    // The catalog has its condition no more.
    if (!hasRunningCalls(one, state)) leaving.push({ skill: one.owner, since: null, asks: false })
  }
  for (const [skill, { when }] of conditional ?? []) {
    if (when === undefined) continue
    const judged = judgeCondition(when, state)
    const standing = conditionStanding(skill, judged, state, context)
    const { since } = judged
    if (standing.kind === 'waits' && standing.ends)
      leaving.push({ skill, since: null, asks: false })
    if (standing.kind === 'due') entering.push({ skill, since, asks: false })
    if (standing.kind === 'asks') entering.push({ skill, since, asks: true })
  }
  return leaving.length + entering.length === 0 ? NONE_DUE : [...leaving, ...entering]
}

const NONE_HIDDEN: ReadonlySet<string> = new Set()

const hiddenMemo = identityMemo<ReadonlySet<string>>()

/** Returns the skills that are hidden from models: no file that matches their `paths` has been used. */
export function hiddenSkills(
  { facts }: Pick<WorkspaceState, 'facts'>,
  { conditional }: Pick<Catalog, 'conditional'>,
): ReadonlySet<string> {
  if (conditional === undefined) return NONE_HIDDEN
  return hiddenMemo([facts.paths, conditional], '', () => {
    const hidden = new Set<string>()
    for (const [name, { paths }] of conditional) {
      if (paths !== undefined && !judgePaths(paths, facts.paths).holds) hidden.add(name)
    }
    return hidden
  })
}
