import { decideActivation } from '../decide/decide-activation.ts'
import { META_OWNER } from '../model/meta-owner.ts'
import { skillStanding } from './skill-standing.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

/**
 * Whether a skill that is not active would come when it is asked for: `free`, refused by nothing
 * but a hook; `blocked`, by a skill or a tool's name that stands in its way; null when the agent may
 * not load it, or it cannot be loaded at all.
 */
export type Loadability = 'free' | 'blocked' | null

/** By the facts they follow from: a search asks for the skill of every tool it looks at. */
const memo = new WeakMap<
  Surroundings,
  { readonly facts: readonly unknown[]; readonly known: Map<string, Loadability> }
>()

export function loadability(
  skill: string,
  state: WorkspaceState,
  surroundings: Surroundings,
): Loadability {
  const facts = [state.open, state.broken]
  const last = memo.get(surroundings)
  const isCurrent = last?.facts.every((fact, index) => fact === facts[index]) ?? false
  const known = (isCurrent ? last?.known : undefined) ?? new Map<string, Loadability>()
  if (!isCurrent) memo.set(surroundings, { facts, known })
  const before = known.get(skill)
  if (before !== undefined) return before
  const judged = judge(skill, state, surroundings)
  known.set(skill, judged)
  return judged
}

function judge(skill: string, state: WorkspaceState, surroundings: Surroundings): Loadability {
  const { status } = skillStanding(state, surroundings, skill)
  if (status === 'conflicting') return 'blocked'
  if (status !== 'inactive') return null
  const command = { type: 'skill.activate' as const, skill }
  const order = { command, cause: { by: 'host' as const }, now: 0, id: '' }
  const decision = decideActivation(state, order, command, surroundings)
  if (decision.kind !== 'refused') return 'free'
  // What a meta-tool stands in the way of never comes: none of them leaves, or can be shadowed.
  const { holder, holderSource } = decision.refusal.facts
  return holder === META_OWNER && holderSource === 'global' ? null : 'blocked'
}
