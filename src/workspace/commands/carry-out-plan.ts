import { decide } from '../../engine/decide/decide.ts'
import { type Decision, refusalDraft } from '../../engine/decide/decision.ts'
import type { Order, Refusal } from '../../engine/model/command.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { Draft, Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { Journal } from './journal.ts'
import type { Outcome } from './outcome.ts'
import {
  type FailedHooks,
  hookScope,
  type HookScope,
  type RunHook,
  runHooks,
  undoHooks,
} from './run-hooks.ts'
import type { SessionStore } from './session-store.ts'
import type { Clock } from '../log/clock.ts'
import type { ImmediateLog } from '../log/event-log.ts'

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
  const runHook = hookInScope(parts, refusals)
  store.setState({ pending: skillsOf(plan) })
  try {
    const ran = await runHooks(plan.hooks, runHook)
    if (!ran.ok) {
      const entries = await appendHookFailure(order, plan, ran, refusals, parts)
      return { entries, refusal: hookFailureRefusal(plan, ran) }
    }
    const drafts = [...refusals, ...plan.drafts]
    const entries = await commit(order, plan, drafts, parts).catch(async (error: unknown) => {
      await undoHooks(plan.hooks, runHook)
      throw error
    })
    if (entries !== null) return { entries, refusal: null }
    await undoHooks(plan.hooks, runHook)
    const refusal = conflictRefusal(plan)
    const refused = refusalDraft(order.command.type, order.cause, plan.wanted, refusal)
    return { entries: await journal.appendSurely([...refusals, refused]), refusal }
  } finally {
    store.setState({ pending: [] })
  }
}

/** Runs hooks in scopes of their own, so that the commands they give are told from others. */
function hookInScope({ owner, runHook }: PlanParts, refusals: Draft[]): RunHook {
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
    abortCallsOf(deactivatedSkills(drafts))
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
async function appendHookFailure(
  order: Order,
  plan: Plan,
  failure: FailedHooks,
  refusals: readonly Draft[],
  parts: PlanParts,
): Promise<readonly Entry[]> {
  const drafts = [...refusals, hookFailureDraft(order, plan, failure)]
  if (order.command.type !== 'skill.resume') return parts.journal.appendSurely(drafts)
  const entries = await commit(order, plan, drafts, parts)
  return entries ?? parts.journal.appendSurely(refusals)
}

function conflictRefusal({ wanted }: Plan): Refusal {
  return {
    code: 'conflict',
    message: `Another process changed the session while the hooks for "${wanted}" ran.`,
    hint: 'The hooks were taken back. Look at the state as it is now, and try again.',
    facts: { skill: wanted },
  }
}

/** What carrying out commands takes. */
export interface DispatcherParts {
  readonly journal: Journal
  readonly clock: Clock
  /** The log of the journal, when it commits at once. */
  readonly immediate?: ImmediateLog | undefined
  readonly store: SessionStore
  readonly surroundings: EngineContext
  readonly runHook: RunHook
  readonly readOnly: boolean
  /** Confirmations whose time is over by the clock that never goes back. */
  outlived(): readonly string[]
  /** Once a plan is committed: end the calls in flight of the skills that left. */
  abortCallsOf(skills: readonly string[]): void
  /** Once per command, with what it came to and the entries it left. */
  notify(outcome: Outcome, entries: readonly Entry[]): void
}

type FailedPlan = Pick<Extract<Decision, { kind: 'planned' }>, 'wanted'>

/** The entry that a plan leaves whose hook failed. */
function hookFailureDraft(
  { cause, command }: Order,
  { wanted }: FailedPlan,
  { failed: { skill, hook }, message, undone, undoFailed }: FailedHooks,
): Draft {
  if (command.type === 'skill.resume') {
    return { cause, event: { type: 'skill.broken', skill, message } }
  }
  return {
    cause,
    event: { type: 'activation.failed', skill, hook, wanted, message, undone, undoFailed },
  }
}

/** Why its command was not carried out. */
function hookFailureRefusal(
  { wanted }: FailedPlan,
  { failed: { skill, hook }, message, undone, undoFailed }: FailedHooks,
): Refusal {
  return {
    code: 'hook-failed',
    message: `${hook} of "${skill}" failed: ${message}`,
    hint: 'Nothing changed. Mend the hook, or what it depends on, and try again.',
    facts: { skill, hook, wanted, undone, undoFailed },
  }
}

/** The skills that leave by some entries. */
export function deactivatedSkills(drafts: readonly Draft[]): readonly string[] {
  return drafts.flatMap(({ event }) =>
    event.type === 'source.closed' && event.source === 'skill' ? [event.owner] : [],
  )
}
