import type { Cause } from '../model/cause.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { OpenSource } from '../model/source-event.ts'
import type { Draft } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { currentTurn } from './ended-lifetimes.ts'
import { type Clash, placeClaims } from './place-claims.ts'
import type { ActivationPlan } from '../../skills/activation/plan-activation.ts'
import type { Lifetime } from '../../skills/definition/lifetime.ts'

/** The events that open the skills of a plan, or the first clash of one of their tools. */
type SkillPlacement =
  | {
      readonly ok: true
      /** One for each skill that enters, in their order. */
      readonly opened: readonly Draft[]
      /** All sources that are open afterwards. */
      readonly open: readonly OpenSource[]
    }
  | {
      readonly ok: false
      readonly skill: string
      readonly clash: Clash
    }

/**
 * Places the tools of the skills that a plan activates, one skill after the other.
 *
 * @param terms the cause and the lifetime for the skill that was asked for; by default its own
 *   lifetime
 */
export function placeSkills(
  { leave, enter }: Extract<ActivationPlan, { ok: true }>,
  terms: { readonly cause: Cause; readonly lifetime?: Lifetime | undefined },
  state: WorkspaceState,
  { catalog, agent }: EngineContext,
): SkillPlacement {
  const leaving = new Set(leave.map(({ skill }) => skill))
  const open = state.open.filter(({ source, owner }) => source !== 'skill' || !leaving.has(owner))
  const opened: Draft[] = []
  const turn = currentTurn(state)
  for (const { skill: owner, of } of enter) {
    const skill = catalog.skills.get(owner)
    const tools = catalog.skillTools.get(owner) ?? []
    const onConflict = skill?.onConflict ?? 'refuse'
    const placed = placeClaims({ source: 'skill', owner, tools, onConflict }, open, agent)
    if (!placed.ok) return { ok: false, skill: owner, clash: placed }
    const { claims } = placed
    const isWanted = of === null
    const cause: Cause = isWanted ? terms.cause : { by: 'dependency', of }
    const source = {
      source: 'skill' as const,
      owner,
      definition: skill?.hash ?? null,
      lifetime: isWanted ? (terms.lifetime ?? skill?.lifetime ?? 'session') : ('session' as const),
      requested: isWanted,
    }
    opened.push({ cause, event: { type: 'source.opened', ...source, claims } })
    // The entries of the skills that leave come first.
    const since = state.seq + leaving.size + opened.length
    open.push({
      ...source,
      claims: claims.map((claim) => ({ ...claim, since })),
      usesLeft: null,
      turn,
      lastTurn: turn,
      since,
      cause,
    })
  }
  return { ok: true, opened, open }
}
