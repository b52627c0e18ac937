import { dependencyOrder, type DependencyOrder, pathTo } from './dependency-order.ts'
import {
  deactivationOrder,
  orphanedRequirements,
  type PlanRefusal,
  withDependents,
} from './plan-deactivation.ts'
import type { Skill } from '../definition/skill.ts'

/** The input of `planActivation`. */
export interface ActivationRequest {
  /** A skill that exists and is not active. */
  readonly wanted: string
  readonly skills: ReadonlyMap<string, Skill>
  /** Returns the reason why a skill could not be loaded; undefined for any other. */
  unread?(name: string): { readonly message: string; readonly hint: string } | undefined
  /** Active skills in order of activation. */
  readonly active: readonly string[]
  /** Returns true if the agent may activate a skill. */
  permitted(name: string): boolean
  /** True if the agent may have only one skill active at a time, with its requirements. */
  readonly exclusiveAgent: boolean
  /** Deactivates conflicting active skills instead of refusing. */
  readonly replace: boolean
  /** Returns false for an active skill that is only active as a requirement. Without it, none is. */
  requested?(name: string): boolean
}

/** The reason for which an active skill leaves. */
type LeaveReason = 'exclusive' | 'conflict'

export type ActivationRefusal = PlanRefusal<
  'missing-requirement' | 'requirement-cycle' | 'not-permitted' | 'conflicting'
>

/** The skills that enter and leave, in order, or the reason why there is no plan. */
export type ActivationPlan =
  | {
      readonly ok: true
      /** Requirements first. `of` is the skill that requires it, null for the wanted skill. */
      readonly enter: readonly { readonly skill: string; readonly of: string | null }[]
      /** The last activated first, each before its requirements. */
      readonly leave: readonly { readonly skill: string; readonly because: LeaveReason }[]
    }
  | ActivationRefusal

/**
 * Plans an activation: the skill, everything it requires, and the active skills that must leave.
 *
 * Pure. Together with a skill that leaves, the active skills that require it leave, and so do its
 * requirements if nothing else needs them. A skill cannot require an `exclusive` skill, which can only
 * be active together with its own requirements. Conflicts count in both directions. Skills that leave
 * because of exclusivity no longer conflict with others.
 */
export function planActivation(request: ActivationRequest): ActivationPlan {
  const { wanted, skills, active, exclusiveAgent, replace } = request
  const required = (name: string) => skills.get(name)?.requires
  const isExclusive = (name: string) => skills.get(name)?.exclusive === true
  const closure = dependencyOrder([wanted], required)
  // A closure is small, so searching the list of active skills is faster than making a set of it.
  const entering = closure.order.filter((name) => !active.includes(name))
  const refusal = refuseClosure(request, closure, entering)
  if (refusal !== undefined) return refusal

  const alone = exclusiveAgent || isExclusive(wanted)
  const excluded = active.filter(
    (name) =>
      !closure.reachedFrom.has(name) &&
      (alone || (isExclusive(name) && !dependencyOrder([name], required).reachedFrom.has(wanted))),
  )
  const excludedSkills = withDependents(excluded, active, skills)

  const staying = active.filter(
    (name) => !excludedSkills.has(name) && !closure.reachedFrom.has(name),
  )
  const [pair, ...pairs] = conflictPairs(entering, staying, skills)
  if (pair !== undefined && !replace) return refuseConflicts(wanted, [pair, ...pairs])
  const replaced = pair === undefined ? [] : [pair, ...pairs].map(({ other }) => other)
  const enter = entering.map((skill) => ({ skill, of: closure.reachedFrom.get(skill) ?? null }))
  // A listing plans every skill of the catalog, and most plans make no other skill leave.
  if (excludedSkills.size === 0 && replaced.length === 0) return { ok: true, enter, leave: [] }

  const leaving = new Set([...excludedSkills, ...withDependents(replaced, active, skills)])
  const orphans = orphanedRequirements({
    leaving,
    remaining: [...active.filter((name) => !leaving.has(name)), ...entering],
    requested: (name) => !active.includes(name) || (request.requested?.(name) ?? true),
    skills,
  })
  const excludes = dependencyOrder(excludedSkills, required).reachedFrom
  const because = (name: string): LeaveReason =>
    excludedSkills.has(name) || (!leaving.has(name) && excludes.has(name))
      ? 'exclusive'
      : 'conflict'
  return {
    ok: true,
    enter,
    leave: deactivationOrder(new Set([...leaving, ...orphans]), active, skills).map((skill) => ({
      skill,
      because: because(skill),
    })),
  }
}

/**
 * Returns the reason why a skill cannot be activated with its requirements, whatever else is active;
 * undefined if there is none. `closure` is the walk over its requirements, of which `entering` are not active.
 */
function refuseClosure(
  request: ActivationRequest,
  closure: DependencyOrder,
  entering: readonly string[],
): ActivationRefusal | undefined {
  const { wanted, skills } = request
  const [missing] = closure.missing
  if (missing !== undefined) {
    const chain = [...pathTo(missing.from, closure), missing.to]
    const unread = request.unread?.(missing.to)
    return {
      ok: false,
      code: 'missing-requirement',
      message: `${requirementChain(chain)}, but ${unread ? `it could not be loaded: ${unread.message}` : `there is no skill "${missing.to}".`}`,
      hint:
        unread?.hint ??
        `Add the skill "${missing.to}", or remove it from the requirements of "${missing.from}".`,
      facts: { missing: missing.to, of: missing.from, chain },
    }
  }
  const lacking = entering.find((name) => skills.get(name)?.missingPrograms !== undefined)
  if (lacking !== undefined) {
    const chain = pathTo(lacking, closure)
    const programs = (skills.get(lacking)?.missingPrograms ?? []).join(', ')
    const whose =
      lacking === wanted ? `"${wanted}" needs` : `${requirementChain(chain)}, which needs`
    return {
      ok: false,
      code: 'missing-requirement',
      message: `${whose} programs that this machine does not have: ${programs}.`,
      hint: 'Install them, so that they are on the PATH, and read the skill again.',
      facts: { skill: lacking, programs, chain },
    }
  }
  const [circle] = closure.circular
  if (circle !== undefined) {
    const chain = [...pathTo(circle.from, closure), circle.to]
    return {
      ok: false,
      code: 'requirement-cycle',
      message: `${requirementChain(chain)}: the requirements form a circle.`,
      hint: `Remove "${circle.to}" from the requirements of "${circle.from}".`,
      facts: { chain },
    }
  }
  const forbidden = entering.find((name) => !request.permitted(name))
  if (forbidden !== undefined) {
    const chain = pathTo(forbidden, closure)
    return {
      ok: false,
      code: 'not-permitted',
      message:
        forbidden === wanted
          ? `This agent may not activate "${wanted}".`
          : `${requirementChain(chain)}, which this agent may not activate.`,
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
      hint: `Remove "${pair.other === pair.declaredBy ? pair.entering : pair.other}" from the conflicts of "${pair.declaredBy}", or one of the two from the requirements.`,
      facts: { ...pair },
    }
  }
  const exclusive = closure.order.find((name) => name !== wanted && skills.get(name)?.exclusive)
  if (exclusive !== undefined) {
    const chain = pathTo(exclusive, closure)
    return {
      ok: false,
      code: 'conflicting',
      message: `${requirementChain(chain)}, which is exclusive: it can only be active together with its own requirements.`,
      hint: `Make "${exclusive}" not exclusive, or remove it from the requirements of "${chain.at(-2)}".`,
      facts: { exclusive, chain },
    }
  }
  return undefined
}

/** Returns the refusal for active skills that conflict with the entering ones and may not be replaced. */
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
    hint: `Deactivate ${names} first, or activate "${wanted}" in place of ${active.length === 1 ? 'it' : 'them'}.`,
    facts: { ...pairs[0], active },
  }
}

/** Names in a sentence. A longer chain is shortened in the middle. */
const MAX_NAMES = 8

/** Writes a chain as `"a" requires "b", which requires "c"`. */
function requirementChain(chain: readonly string[]): string {
  const names = chain.map((name) => `"${name}"`)
  const omitted = names.length - MAX_NAMES
  const shown =
    omitted <= 0
      ? names
      : [...names.slice(0, MAX_NAMES / 2), `(${omitted} more)`, ...names.slice(-MAX_NAMES / 2)]
  return shown.reduce(
    (text, name, index) => `${text}${index === 1 ? ' requires ' : ', which requires '}${name}`,
  )
}

/** Two skills that cannot be active together. */
interface ConflictPair {
  readonly entering: string
  readonly other: string
  /** The skill that declares the conflict, which counts in both directions. */
  readonly declaredBy: string
}

/** Finds the conflicts between `entering` and `others`, whichever of the two skills declares them. */
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

/** Finds declared conflicts. `to` becomes a set only if needed, since few skills declare conflicts. */
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
