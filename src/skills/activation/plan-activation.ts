import { dependencyOrder, type DependencyOrder, pathTo } from './dependency-order.ts'
import {
  deactivationOrder,
  orphanedRequirements,
  type PlanRefusal,
  withDependents,
} from './plan-deactivation.ts'
import type { Skill } from '../definition/skill.ts'

/**
 * Plan an activation: the skill, all it requires, and whoever has to make room.
 *
 * Pure. A skill that has to leave takes the active skills that require it along, and the
 * requirements that were there only for it. A skill cannot be active with a requirement that
 * is `exclusive`, since only that one's own requirements may be active beside it. Conflicts
 * hold both ways, and skills that leave for exclusivity no longer conflict with anything.
 */
export function planActivation(request: ActivationRequest): ActivationPlan {
  const { wanted, skills, active, exclusiveAgent, replace } = request
  const requirementsOf = (name: string) => skills.get(name)?.requires
  const isExclusive = (name: string) => skills.get(name)?.exclusive === true
  const closure = dependencyOrder([wanted], requirementsOf)
  const refusal = refuseClosure(request, closure)
  if (refusal !== undefined) return refusal

  // A closure is small and there may be many active skills: looking through them beats a set of them.
  const entering = closure.order.filter((name) => !active.includes(name))
  const alone = exclusiveAgent || isExclusive(wanted)
  const excluded = active.filter(
    (name) =>
      !closure.reachedFrom.has(name) &&
      (alone ||
        (isExclusive(name) && !dependencyOrder([name], requirementsOf).reachedFrom.has(wanted))),
  )
  const outcast = withDependents(excluded, active, skills)

  const beside = active.filter((name) => !outcast.has(name) && !closure.reachedFrom.has(name))
  const [pair, ...pairs] = conflictPairs(entering, beside, skills)
  if (pair !== undefined && !replace) return refuseConflicts(wanted, [pair, ...pairs])
  const replaced = pair === undefined ? [] : [pair, ...pairs].map(({ other }) => other)
  const enter = entering.map((skill) => ({ skill, of: closure.reachedFrom.get(skill) ?? null }))
  // A listing plans every skill of the catalog, and hardly any of them makes another leave.
  if (outcast.size === 0 && replaced.length === 0) return { ok: true, enter, leave: [] }

  const leaving = new Set([...outcast, ...withDependents(replaced, active, skills)])
  const orphans = orphanedRequirements({
    leaving,
    remaining: [...active.filter((name) => !leaving.has(name)), ...entering],
    requested: (name) => !active.includes(name) || (request.requested?.(name) ?? true),
    skills,
  })
  const excludes = dependencyOrder(outcast, requirementsOf).reachedFrom
  const because = (name: string): LeaveReason =>
    outcast.has(name) || (!leaving.has(name) && excludes.has(name)) ? 'exclusive' : 'conflict'
  return {
    ok: true,
    enter,
    leave: deactivationOrder(new Set([...leaving, ...orphans]), active, skills).map((skill) => ({
      skill,
      because: because(skill),
    })),
  }
}

/** What `planActivation` decides from. */
export interface ActivationRequest {
  /** A skill that exists and is not active. */
  readonly wanted: string
  readonly skills: ReadonlyMap<string, Skill>
  /** Active skills in the order they were activated. */
  readonly active: readonly string[]
  /** Whether the agent may load a skill. */
  permitted(name: string): boolean
  /** The agent has at most one skill, with its requirements, active at a time. */
  readonly exclusiveAgent: boolean
  /** Put conflicting active skills away instead of refusing. */
  readonly replace: boolean
  /** False for an active skill that only a requirement brought; without it, all were asked for. */
  requested?(name: string): boolean
}

/** Why an active skill has to make room. */
type LeaveReason = 'exclusive' | 'conflict'

/** Who enters and who leaves, in order. */
interface ActivationSteps {
  readonly ok: true
  /** Requirements first; `of` is the skill that needs it, null for the wanted one. */
  readonly enter: readonly { readonly skill: string; readonly of: string | null }[]
  /** The latest activated first, each before what it requires. */
  readonly leave: readonly { readonly skill: string; readonly because: LeaveReason }[]
}

export type ActivationRefusal = PlanRefusal<
  'missing-requirement' | 'requirement-cycle' | 'not-permitted' | 'conflicting'
>

export type ActivationPlan = ActivationSteps | ActivationRefusal

/**
 * What stands against activating a skill with all it requires, whoever else is active;
 * undefined when nothing does. `closure` is the walk over its requirements.
 */
function refuseClosure(
  request: ActivationRequest,
  closure: DependencyOrder,
): ActivationRefusal | undefined {
  const { wanted, skills, active } = request
  const [missing] = closure.missing
  if (missing !== undefined) {
    const chain = [...pathTo(missing.from, closure), missing.to]
    return {
      ok: false,
      code: 'missing-requirement',
      message: `${requirementChain(chain)}, but there is no skill "${missing.to}".`,
      hint: `Add the skill "${missing.to}", or take it off the requirements of "${missing.from}".`,
      facts: { missing: missing.to, of: missing.from, chain },
    }
  }
  const [circle] = closure.circular
  if (circle !== undefined) {
    const chain = [...pathTo(circle.from, closure), circle.to]
    return {
      ok: false,
      code: 'requirement-cycle',
      message: `${requirementChain(chain)}: the requirements go in a circle.`,
      hint: `Take "${circle.to}" off the requirements of "${circle.from}".`,
      facts: { chain },
    }
  }
  const entering = closure.order.filter((name) => !active.includes(name))
  const forbidden = entering.find((name) => !request.permitted(name))
  if (forbidden !== undefined) {
    const chain = pathTo(forbidden, closure)
    return {
      ok: false,
      code: 'not-permitted',
      message:
        forbidden === wanted
          ? `This agent may not load "${wanted}".`
          : `${requirementChain(chain)}, which this agent may not load.`,
      hint: `Add "${forbidden}" to the skills of the agent.`,
      facts: { skill: forbidden, chain },
    }
  }
  const [pair] = conflictPairs(entering, closure.order, skills)
  if (pair !== undefined) {
    return {
      ok: false,
      code: 'conflicting',
      message: `"${wanted}" needs both "${pair.entering}" and "${pair.other}", which conflict.`,
      hint: `Take "${pair.other === pair.declaredBy ? pair.entering : pair.other}" off the conflicts of "${pair.declaredBy}", or one of the two off the requirements.`,
      facts: { ...pair },
    }
  }
  const loner = closure.order.find((name) => name !== wanted && skills.get(name)?.exclusive)
  if (loner !== undefined) {
    const chain = pathTo(loner, closure)
    return {
      ok: false,
      code: 'conflicting',
      message: `${requirementChain(chain)}, which is exclusive: only its own requirements can be active beside it.`,
      hint: `Make "${loner}" not exclusive, or take it off the requirements of "${chain.at(-2)}".`,
      facts: { exclusive: loner, chain },
    }
  }
  return undefined
}

/** The refusal when active skills conflict with those about to enter, and may not be replaced. */
function refuseConflicts(
  wanted: string,
  pairs: readonly [ConflictPair, ...ConflictPair[]],
): ActivationRefusal {
  const [{ entering, other }] = pairs
  const active = [...new Set(pairs.map((pair) => pair.other))]
  const names = active.map((name) => `"${name}"`).join(', ')
  return {
    ok: false,
    code: 'conflicting',
    message:
      entering === wanted
        ? `"${wanted}" conflicts with "${other}", which is active.`
        : `"${wanted}" requires "${entering}", which conflicts with "${other}", which is active.`,
    hint: `Put ${names} away first, or activate "${wanted}" in place of ${active.length === 1 ? 'it' : 'them'}.`,
    facts: { ...pairs[0], active },
  }
}

/** Names a sentence lists before it leaves some out. */
const LONGEST = 8

/** `"a" requires "b", which requires "c"`; the middle of a long chain is left out, and counted. */
function requirementChain(chain: readonly string[]): string {
  const names = chain.map((name) => `"${name}"`)
  const omitted = names.length - LONGEST
  const shown =
    omitted <= 0
      ? names
      : [...names.slice(0, LONGEST / 2), `(${omitted} more)`, ...names.slice(-LONGEST / 2)]
  return shown.reduce(
    (text, name, index) => `${text}${index === 1 ? ' requires ' : ', which requires '}${name}`,
  )
}

/** Two skills that cannot be active side by side. */
interface ConflictPair {
  readonly entering: string
  readonly other: string
  /** The one of the two that says so; it holds both ways. */
  readonly declaredBy: string
}

/** Who among `entering` conflicts with whom among `others`, whichever of the two declares it. */
function conflictPairs(
  entering: readonly string[],
  others: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): readonly ConflictPair[] {
  return [
    ...declared(entering, others, skills).map(([name, other]) => ({
      entering: name,
      other,
      declaredBy: name,
    })),
    ...declared(others, entering, skills).map(([other, name]) => ({
      entering: name,
      other,
      declaredBy: other,
    })),
  ]
}

/** Hardly any skill declares a conflict, so `to` is made a set only for one that does. */
function declared(
  from: readonly string[],
  to: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  let present: ReadonlySet<string> | undefined
  for (const name of from) {
    const conflicts = skills.get(name)?.conflicts
    if (conflicts === undefined || conflicts.length === 0) continue
    present ??= new Set(to)
    for (const conflict of conflicts) {
      if (conflict !== name && present.has(conflict)) found.push([name, conflict])
    }
  }
  return found
}
