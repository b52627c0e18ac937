import { decideActivation } from './decide-activation.ts'
import { decideDeactivation } from './decide-deactivation.ts'
import { type Decision, UNCHANGED } from './decision.ts'
import type { CommandOf, Order } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { FactEvent, FactState, NotedFacts } from '../model/fact-event.ts'
import { LOAD_SKILL } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { openSkill } from '../standing/assess-skill.ts'
import { conditionStanding, firstMatch, judgeCondition } from '../standing/judge-condition.ts'
import { fileMatcher, relativePath } from '../standing/matches-path.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'

/**
 * Activates a skill whose condition holds, or deactivates one whose condition activated it and no longer holds. Decides
 * again what the command was given for: another process may have settled it. What is in the way leaves no refusal,
 * since it would be one at every step; `explainSkill` names it.
 *
 * Where a rule asks, the approval of a call of `loadSkill` is consumed.
 */
export function decideCondition(
  state: WorkspaceState,
  order: Order,
  { skill, confirmation }: CommandOf<'condition.settle'>,
  context: EngineContext,
): Decision {
  const { when } = context.catalog.conditional?.get(skill) ?? {}
  const judged = when ? judgeCondition(when, state) : { members: [], since: null }
  const { since } = judged
  const standing = conditionStanding(skill, judged, state, context)
  switch (standing.kind) {
    case 'waits': {
      if (!standing.ends) return UNCHANGED
      const cause = { by: 'lifetime', of: skill } as const
      return decideDeactivation(
        state,
        { ...order, cause },
        { type: 'skill.deactivate', skill },
        context,
      )
    }
    case 'active':
    case 'blocked':
    case 'denied':
      return UNCHANGED
    case 'asks':
    case 'due': {
      const isApproved = state.answers.some(
        ({ id, tool, consent }) =>
          id === confirmation && tool === LOAD_SKILL && consent === 'approved',
      )
      if (standing.kind === 'asks' && !isApproved) return UNCHANGED
      const cause = { by: 'policy', rule: `when of ${skill}`, fact: since ?? 0 } as const
      const given = { type: 'skill.activate', skill } as const
      const decision = decideActivation(state, { ...order, cause }, given, context)
      if (decision.kind !== 'planned' || openSkill(state, skill) !== null) return UNCHANGED
      if (!isApproved || confirmation === undefined) return decision
      const drafts = decision.drafts.map(({ cause: own, event }) =>
        event.type === 'source.opened' && event.source === 'skill' && event.owner === skill
          ? { cause: own, event: { ...event, confirmation } }
          : { cause: own, event },
      )
      return { ...decision, drafts }
    }
  }
}

/** Returns the event for facts that a condition of the catalog depends on; null when nothing of them is new. */
export function newFact(
  { paths = [], event, holds = true }: NotedFacts,
  { facts }: WorkspaceState,
  { conditional }: Pick<Catalog, 'conditional'>,
): FactEvent | null {
  if (conditional === undefined) return null
  const used = newPaths(paths, facts.paths, conditional)
  const isKnown = facts.events.some((one) => one.event === event)
  const isNamed = [...conditional.values()].some(({ when }) => when?.event?.includes(event ?? ''))
  const isNew = event !== undefined && (holds ? isNamed && !isKnown : isKnown)
  if (used.length === 0 && !isNew) return null
  return {
    type: 'fact.noted',
    ...(used.length > 0 && { paths: used }),
    ...(isNew && { event, ...(!holds && { holds: false as const }) }),
  }
}

/** Returns the files that are the first to match patterns of the catalog: the state does not grow with the others. */
function newPaths(
  given: readonly string[],
  used: FactState['facts']['paths'],
  conditional: NonNullable<Catalog['conditional']>,
): readonly string[] {
  if (given.length === 0) return []
  const waiting = new Map<string, (path: string) => boolean>()
  for (const { paths, when } of conditional.values()) {
    for (const globs of [paths, when?.paths]) {
      const isWaiting = globs !== undefined && firstMatch(globs, used) === null
      const isMeant = isWaiting ? fileMatcher(globs) : null
      if (isMeant !== null) waiting.set(JSON.stringify(globs), isMeant)
    }
  }
  const found = new Set<string>()
  for (const text of given) {
    if (waiting.size === 0) break
    const path = relativePath(text)
    if (path === null) continue
    for (const [globs, isMeant] of waiting) {
      if (!isMeant(path)) continue
      waiting.delete(globs)
      found.add(path)
    }
  }
  return [...found]
}
