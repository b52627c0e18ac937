import type { ActivationRefusal, ActivationRequest } from './activation-plan.ts'
import { type ConflictPair, conflictPairs } from './conflict-pairs.ts'
import { type DependencyOrder, wayTo } from './dependency-order.ts'
import { requirementChain } from './requirement-chain.ts'

/**
 * What stands against activating a skill with all it requires, whoever else is active;
 * undefined when nothing does. `closure` is the walk over its requirements.
 */
export function refuseClosure(
  request: ActivationRequest,
  closure: DependencyOrder,
): ActivationRefusal | undefined {
  const { wanted, skills, active } = request
  const [missing] = closure.missing
  if (missing !== undefined) {
    const chain = [...wayTo(missing.from, closure), missing.to]
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
    const chain = [...wayTo(circle.from, closure), circle.to]
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
    const chain = wayTo(forbidden, closure)
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
    const chain = wayTo(loner, closure)
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
export function refuseConflicts(
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
