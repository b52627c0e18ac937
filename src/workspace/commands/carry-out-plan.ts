import { AsyncLocalStorage } from 'node:async_hooks'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { type Decision, type HookCall, refusalDraft } from '../../engine/decide/decision.ts'
import type { Order, Refusal } from '../../engine/model/command.ts'
import type { Draft, Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { hideSecrets, type Redactor } from '../../kernel/redactor.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { SkillHookContext } from '../../skills/definition/skill.ts'
import { decideWithTexts } from './decide-with-texts.ts'
import type { DispatcherParts, RunHook } from './dispatcher-parts.ts'
import { withTimeLimit } from './with-time-limit.ts'

/** The decision on a command, and the state that it is based on. */
export interface Decided<D extends Decision = Decision> {
  readonly state: WorkspaceState
  readonly order: Order
  readonly decision: D
}

export type Plan = Extract<Decision, { kind: 'planned' }>

/** The entries of a command, and the refusal when it was not carried out. */
export interface PlanOutcome {
  readonly entries: readonly Entry[]
  readonly refusal: Refusal | null
}

/** The dispatcher of a plan, which lets calls go on while hooks run. */
interface HookOwner {
  besideCalls<T>(plan: Plan, hooks: Promise<T>): Promise<T>
}

/**
 * Carries out a plan: runs its hooks while the store shows its skills as pending, then commits everything
 * in one append. When anything fails before that, the hooks that ran are undone.
 *
 * When another process, or a command that did not wait, appended meanwhile, the command is decided
 * again: the same plan is committed without running hooks again, another one is refused with `conflict`.
 *
 * @param owner the dispatcher, by which a hook that commands its own workspace is recognised
 */
export async function carryOutPlan(
  decided: Decided<Plan>,
  owner: HookOwner,
  parts: DispatcherParts,
): Promise<PlanOutcome> {
  const { order, decision: plan } = decided
  const { store, journal, context } = parts
  const refusals: Draft[] = []
  const runHook = hookInScope(owner, parts.runHook, refusals)
  store.setState({ pending: skillsOf(plan) })
  try {
    const ran = await owner.besideCalls(plan, runHooks(plan.hooks, runHook, context.redactor))
    const again = ran.ok ? withServers(decided, parts) : plan
    const lost = ran.ok && again.kind === 'planned' ? again.hooks.find(isConnect) : undefined
    const hooks = lost
      ? lostServer(lost, await owner.besideCalls(plan, undoHooks(plan.hooks, runHook)))
      : ran
    if (!hooks.ok) {
      const entries = await appendHookFailure(decided, hooks, refusals, parts)
      return { entries, refusal: hookFailureRefusal(plan, hooks) }
    }
    let entries: readonly Entry[] | null = null
    try {
      if (again.kind === 'planned') {
        const full = { ...decided, decision: again }
        entries = await commit(full, [...refusals, ...again.drafts], parts)
      }
    } catch (error) {
      await owner.besideCalls(plan, undoHooks(plan.hooks, runHook))
      throw error
    }
    if (entries !== null) return { entries, refusal: null }
    await owner.besideCalls(plan, undoHooks(plan.hooks, runHook))
    const refusal = again.kind === 'refused' ? again.refusal : conflictRefusal(plan)
    const refused = refusalDraft(order.command.type, order.cause, plan.wanted, refusal)
    return { entries: await journal.appendSurely([...refusals, refused]), refusal }
  } finally {
    store.setState({ pending: [] })
  }
}

/** Decides again when the servers are connected: the plan then registers their tools, or is refused. */
function withServers({ state, order, decision }: Decided<Plan>, parts: DispatcherParts): Decision {
  return decision.hooks.some(isConnect) ? decideWithTexts(state, order, parts.context) : decision
}

function isConnect({ hook }: HookCall): boolean {
  return hook === 'connect'
}

/** The failure of a plan one of whose servers was lost before all of them were connected. */
function lostServer(failed: HookCall, undone: UndoOutcome): FailedHooks {
  return { ok: false, failed, message: 'The connection was lost.', ...undone }
}

/** Runs each hook in a scope of its own, by which the commands that it gives are recognised. */
function hookInScope(owner: object, runHook: RunHook, refusals: Draft[]): RunHook {
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

function skillsOf({ drafts }: Plan): readonly string[] {
  return drafts.flatMap(({ event }) =>
    event.type === 'source.opened' || event.type === 'source.closed' ? [event.owner] : [],
  )
}

/** Appends the drafts of a plan; returns null when the state no longer leads to this plan. */
async function commit(
  { state: decidedOn, order, decision: plan }: Decided<Plan>,
  drafts: readonly Draft[],
  { store, journal, context }: DispatcherParts,
): Promise<readonly Entry[] | null> {
  const losses: number[] = []
  for (let known = decidedOn; ; await journal.backOff(losses)) {
    const { state } = store.getState()
    if (state !== known) {
      const again = decideWithTexts(state, order, context)
      if (planKey(again) !== planKey(plan)) return null
      known = state
    }
    const entries = await journal.append(drafts)
    if (entries !== null) return entries
  }
}

/** Returns a key that is equal for equal plans. Prices are left out: they depend on the last step. */
function planKey(decision: Decision): string {
  const drafts = decision.drafts.map(({ cause, event }) =>
    event.type === 'source.closed'
      ? { cause, event: { ...event, price: undefined } }
      : { cause, event },
  )
  return canonicalJson({ ...decision, drafts })
}

/** Returns the skills that some entries deactivate. */
export function deactivatedSkills(drafts: readonly Draft[]): readonly string[] {
  const skills: string[] = []
  for (const { event } of drafts) {
    if (event.type === 'source.closed' && event.source === 'skill') skills.push(event.owner)
  }
  return skills
}

/**
 * Appends the entry of a hook that failed. It is right in any state, except for a resumed skill: only
 * the activation whose hook failed is broken, and it may have ended.
 */
async function appendHookFailure(
  decided: Decided<Plan>,
  failure: FailedHooks,
  refusals: readonly Draft[],
  parts: DispatcherParts,
): Promise<readonly Entry[]> {
  const { order, decision: plan } = decided
  const drafts = [...refusals, hookFailureDraft(order, plan, failure)]
  if (order.command.type !== 'skill.resume') return parts.journal.appendSurely(drafts)
  // A resumed skill is not broken because this process stops using it.
  if (parts.closing.aborted) return parts.journal.appendSurely(refusals)
  const entries = await commit(decided, drafts, parts)
  return entries ?? parts.journal.appendSurely(refusals)
}

/** Returns the entry of a plan whose hook failed. */
function hookFailureDraft(
  { cause, command }: Order,
  { wanted }: Plan,
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

function hookFailureRefusal(
  { wanted }: Plan,
  { failed: { skill, hook, server }, message, hint, stage, undone, undoFailed }: FailedHooks,
): Refusal {
  const facts = { skill, hook, wanted, undone, undoFailed }
  if (server !== undefined) {
    return {
      code: 'hook-failed',
      message: `"${skill}" brings the server "${server}", which did not connect: ${message}`,
      hint: `Nothing changed. ${hint ?? 'Check the configuration of the server, and try again.'}`,
      facts: { ...facts, server, ...(stage !== undefined && { stage }) },
    }
  }
  return {
    code: 'hook-failed',
    message: `${hook} of "${skill}" failed: ${message}`,
    hint: 'Nothing changed. Fix the hook, or what it depends on, and try again.',
    facts,
  }
}

function conflictRefusal({ wanted }: Plan): Refusal {
  return {
    code: 'conflict',
    message: `Another process changed the session while the hooks for "${wanted}" ran.`,
    hint: 'The hooks were undone. Check the current state, and try again.',
    facts: { skill: wanted },
  }
}

/** The outcome of hooks that run one after another. */
type HooksOutcome = { readonly ok: true } | FailedHooks

/** The hook that failed, and the outcome of undoing those before it. */
interface FailedHooks extends UndoOutcome {
  readonly ok: false
  readonly failed: HookCall
  readonly message: string
  readonly hint?: string
  /** The code of the failure. */
  readonly stage?: string
}

/** The skills whose hooks were undone, and those whose undo failed, in order. */
interface UndoOutcome {
  readonly undone: readonly string[]
  readonly undoFailed: readonly string[]
}

/** Runs hooks one after another; when one fails, undoes the hooks before it in reverse order. */
async function runHooks(
  hooks: readonly HookCall[],
  run: RunHook,
  redactor: Redactor | undefined,
): Promise<HooksOutcome> {
  const done: HookCall[] = []
  for (const hook of hooks) {
    try {
      await run(hook, false)
      done.push(hook)
    } catch (error) {
      return {
        ok: false,
        failed: hook,
        // A model that loads the skill reads it.
        message: hideSecrets(thrownMessage(error), redactor),
        ...(WorkspaceError.is(error) && { hint: error.hint, stage: error.code }),
        ...(await undoHooks(done, run)),
      }
    }
  }
  return { ok: true }
}

/** Undoes hooks, the last one first, each by the opposite hook of its skill. Never rejects. */
async function undoHooks(done: readonly HookCall[], run: RunHook): Promise<UndoOutcome> {
  const undone: string[] = []
  const undoFailed: string[] = []
  for (const { skill, hook, server } of done.toReversed()) {
    try {
      await run({ skill, hook: OPPOSITE[hook], ...(server !== undefined && { server }) }, true)
      undone.push(skill)
    } catch {
      undoFailed.push(skill)
    }
  }
  return { undone, undoFailed }
}

/** The hooks that undo each hook. The connection to a server ends by itself when no skill needs it. */
const OPPOSITE = {
  onActivate: 'onDeactivate',
  onDeactivate: 'onActivate',
  connect: 'connect',
} as const

/**
 * Returns a function that runs the hooks of the skills in a catalog.
 *
 * @param timeoutMs the time limit of one hook, in milliseconds
 * @param closing aborted when the workspace closes: running hooks end at once, and are not awaited
 * @param connect connects to a server that a skill brings; to undo that, lets the connection end
 */
export function hookRunner(
  engine: { readonly catalog: Catalog },
  timeoutMs: number,
  context: () => Pick<SkillHookContext, 'session' | 'services' | 'principal'>,
  closing: AbortSignal,
  connect: (server: string, undo: boolean) => Promise<void>,
): RunHook {
  return async ({ skill, hook, server, resumed = false }, undo) => {
    if (hook === 'connect') {
      await connect(server ?? '', undo)
      return
    }
    const definition = engine.catalog.skills.get(skill)
    if (definition?.[hook] === undefined) return
    await withTimeLimit(
      `${hook} of "${skill}"`,
      timeoutMs,
      (signal) => definition[hook]?.({ ...context(), skill, signal, resumed, undo }),
      closing,
    )
  }
}

/** A running hook, for the code that it calls. */
export interface HookScope {
  /** The dispatcher that runs it. A hook may command another workspace. */
  readonly owner: object
  readonly skill: string
  /** False once the hook has ended. Code that it started may give commands from then on. */
  open: boolean
  /** The refusals of commands inside the hook, appended together with the entries of the activation. */
  readonly refusals: Draft[]
  /** The hook of another workspace that gave the command of this activation. */
  readonly outer: HookScope | undefined
}

/**
 * Marks the code that a hook calls. A command from inside a hook is refused: it would wait for its turn
 * in the queue, and the activation that has the turn waits for the hook.
 */
const hookScope = new AsyncLocalStorage<HookScope | undefined>()

/** Calls a function whose code, also later, is not the code of the hook that runs now. */
export function outsideHooks<T>(run: () => T): T {
  return hookScope.run(undefined, run)
}

/** Returns the running hook of a dispatcher that called the current code, directly or through other workspaces. */
export function runningHookOf(owner: object): HookScope | undefined {
  let scope = hookScope.getStore()
  while (scope && !(scope.open && scope.owner === owner)) scope = scope.outer
  return scope
}
