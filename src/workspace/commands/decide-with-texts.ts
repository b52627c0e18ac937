import { decide } from '../../engine/decide/decide.ts'
import type { Decision } from '../../engine/decide/decision.ts'
import type { Order } from '../../engine/model/command.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { Draft } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { describePresuppositions } from '../../skills/presuppositions.ts'

/**
 * Decides a command, and adds to the entries of activations what the texts of their skills presuppose. The texts are
 * not part of the decision: they are read once for each skill, by patterns.
 */
export function decideWithTexts(
  state: WorkspaceState,
  order: Order,
  context: EngineContext,
): Decision {
  const decision = decide(state, order, context)
  if (decision.kind !== 'planned') return decision
  const left = new Set<string>()
  const names: string[] = []
  for (const { event } of decision.drafts) {
    if (event.type === 'source.closed' && event.source === 'skill') left.add(event.owner)
    if (event.type !== 'source.opened' || event.source !== 'skill') continue
    for (const { name } of event.claims) names.push(name)
  }
  for (const { source, owner, claims } of state.open) {
    if (source === 'skill' && left.has(owner)) continue
    for (const { name } of claims) names.push(name)
  }
  const { catalog } = context
  const drafts: Draft[] = []
  for (const { cause, event } of decision.drafts) {
    const isSkill = event.type === 'source.opened' && event.source === 'skill'
    const skill = isSkill ? catalog.skills.get(event.owner) : undefined
    if (!isSkill || skill === undefined) {
      drafts.push({ cause, event })
      continue
    }
    const { presupposes, lacks } = describePresuppositions(skill, catalog, names)
    const texts = {
      ...(presupposes.length > 0 && { presupposes }),
      ...(lacks.length > 0 && { lacks }),
    }
    drafts.push({ cause, event: { ...event, ...texts } })
  }
  return { ...decision, drafts }
}
