import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { Order } from '../../engine/model/command.ts'
import { decide } from '../../engine/decide/decide.ts'
import { refusalDraft, type Decision, type Refusal } from '../../engine/decide/decision.ts'
import type { Draft, Entry } from '../../engine/model/event.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import { hookScope, type HookScope } from './hook-scope.ts'
import { closedSkills } from './closed-skills.ts'
import type { DispatcherParts } from './dispatcher-parts.ts'
import { hookFailed, hookFailure } from './hook-failure.ts'
import { runHooks, undoHooks, type FailedHooks, type RunHook } from './run-hooks.ts'

type Plan = Extract<Decision, { kind: 'planned' }>

/** The entries a plan left, and why it was not carried out, if it was not. */
export interface PlanOutcome {
  readonly entries: readonly Entry[]
  readonly refusal: Refusal | null
}

interface PlanParts extends DispatcherParts {
  readonly owner: object
  /** The state the plan was made for. */
  readonly decidedOn: WorkspaceState
}

/**
 * Carry out a plan: run its hooks while the store shows it as pending, then commit everything
 * in one append. Whatever goes wrong before that, the hooks that ran are taken back.
 *
 * When another process, or a command that did not wait, appended meanwhile, the command is decided
 * anew: the same plan is committed without running hooks again, another one is refused with `conflict`.
 */
export async function carryOutPlan(
  order: Order,
  plan: Plan,
  parts: PlanParts,
): Promise<PlanOutcome> {
  const { store, journal } = parts
  const refusals: Draft[] = []
  const runHook = guarded(parts, refusals)
  store.setState({ pending: skillsOf(plan) })
  try {
    const ran = await runHooks(plan.hooks, runHook)
    if (!ran.ok) {
      const entries = await noteFailure(order, plan, ran, refusals, parts)
      return { entries, refusal: hookFailed(plan, ran) }
    }
    const drafts = [...refusals, ...plan.drafts]
    const entries = await commit(order, plan, drafts, parts).catch(async (error: unknown) => {
      await undoHooks(plan.hooks, runHook)
      throw error
    })
    if (entries !== null) return { entries, refusal: null }
    await undoHooks(plan.hooks, runHook)
    const refusal = changedMeanwhile(plan)
    const refused = refusalDraft(order.command.type, order.cause, plan.wanted, refusal)
    return { entries: await journal.appendSurely([...refusals, refused]), refusal }
  } finally {
    store.setState({ pending: [] })
  }
}

/** Runs hooks in scopes of their own, so that the commands they give are told from others. */
function guarded({ owner, runHook }: PlanParts, refusals: Draft[]): RunHook {
  const outer = hookScope.getStore()
  return async (call, undo) => {
    const scope: HookScope = { owner, skill: call.skill, open: true, refusals, outer }
    try {
      await hookScope.run(scope, () => runHook(call, undo))
    } finally {
      scope.open = false
    }
  }
}

/**
 * What a plan came to in one append; null when the state no longer leads to this plan. Calls of
 * skills that leave are aborted when it is done, so that a plan that fails harms none.
 */
async function commit(
  order: Order,
  plan: Plan,
  drafts: readonly Draft[],
  { store, journal, surroundings, abortCallsOf, decidedOn }: PlanParts,
): Promise<readonly Entry[] | null> {
  for (let known = decidedOn; ;) {
    const { state } = store.getState()
    if (state !== known) {
      const again = decide(state, order, surroundings)
      if (planKey(again) !== planKey(plan)) return null
      known = state
    }
    const entries = await journal.append(drafts)
    if (entries === null) continue
    abortCallsOf(closedSkills(drafts))
    return entries
  }
}

/** What makes two decisions the same plan. A price follows the last step, and is no part of it. */
function planKey(decision: Decision): string {
  const drafts = decision.drafts.map(({ cause, event }) =>
    event.type === 'source.closed'
      ? { cause, event: { ...event, price: undefined } }
      : { cause, event },
  )
  return canonicalJson({ ...decision, drafts })
}

function skillsOf({ drafts }: Plan): readonly string[] {
  return drafts.flatMap(({ event }) =>
    event.type === 'source.opened' || event.type === 'source.closed' ? [event.owner] : [],
  )
}

/**
 * The entry of a hook that failed. It holds whatever the state is by now, but for a resumed skill: only
 * the activation whose hook it was is broken, and that one may have left.
 */
async function noteFailure(
  order: Order,
  plan: Plan,
  failure: FailedHooks,
  refusals: readonly Draft[],
  parts: PlanParts,
): Promise<readonly Entry[]> {
  const drafts = [...refusals, hookFailure(order, plan, failure)]
  if (order.command.type !== 'skill.resume') return parts.journal.appendSurely(drafts)
  const entries = await commit(order, plan, drafts, parts)
  return entries ?? parts.journal.appendSurely(refusals)
}

function changedMeanwhile({ wanted }: Plan): Refusal {
  return {
    code: 'conflict',
    message: `Another process changed the session while the hooks for "${wanted}" ran.`,
    hint: 'The hooks were taken back. Look at the state as it is now, and try again.',
    facts: { skill: wanted },
  }
}
