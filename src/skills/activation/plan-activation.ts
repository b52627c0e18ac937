import type { ActivationPlan, ActivationRequest, LeaveReason } from './activation-plan.ts'
import { conflictPairs } from './conflict-pairs.ts'
import { dependencyOrder } from './dependency-order.ts'
import { leavingOrder, withDependents } from './leaving-order.ts'
import { orphanedRequirements } from './orphaned-requirements.ts'
import { refuseClosure, refuseConflicts } from './refuse-activation.ts'

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
    leave: leavingOrder(new Set([...leaving, ...orphans]), active, skills).map((skill) => ({
      skill,
      because: because(skill),
    })),
  }
}
