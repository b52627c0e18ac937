import { randomFillSync } from 'node:crypto'
import { decide } from '../../engine/decide/decide.ts'
import { type Decision, refusalDraft } from '../../engine/decide/decision.ts'
import { inheritedDrafts } from '../../engine/decide/inherited-drafts.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command, Order, Refusal } from '../../engine/model/command.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import {
  carryOutPlan,
  deactivatedSkills,
  type Decided,
  type HookScope,
  type Plan,
  type PlanOutcome,
  runningHookOf,
} from './carry-out-plan.ts'
import type { DispatcherParts } from './dispatcher-parts.ts'
import type { Registration } from './handler-bindings.ts'
import type { ConflictBackoff } from './journal.ts'
import { type Outcome, refusedOutcome, successfulOutcome } from './outcome.ts'
import type { ImmediateLog } from '../log/event-log.ts'
import { logNotImmediate, type MaybeAsync, runAsync, runSync, waitFor } from '../log/maybe-async.ts'

/** A command, or a function that makes one from the state when its turn comes. */
export type CommandSource = Command | ((state: WorkspaceState) => Command | Promise<Command>)

/** Carries out a command: `dispatch` of a dispatcher, or its `dispatchNow`. */
export type Dispatch = (command: CommandSource, cause: Cause) => Outcome | Promise<Outcome>

interface DispatchOptions {
  /** Let the running calls of the skills that the command deactivates end first; false when absent. */
  readonly drain?: boolean
  /** The tool of the call that the command belongs to. It does not wait for hooks that do not concern the tool. */
  readonly callOf?: string
  /** The session was read from its log just now: a command that changes nothing does not read it again. */
  readonly justRead?: boolean
}

/**
 * Carries out the commands of one session, one after another:
 * decide, run the hooks of a plan, append, fold, notify.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #inTurn = serialQueue()
  #closed = false
  /** The commands of calls that go on while hooks run; null while none run. */
  #calls: CallsBesideHooks | null = null

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  /**
   * Queues a command. Resolves with its outcome, a refusal included, once the entries are in the log.
   * Rejects with `READ_ONLY`, `WORKSPACE_CLOSED`, the errors of the log, and what `source` throws.
   */
  dispatch(
    source: CommandSource,
    cause: Cause,
    { drain = false, callOf, justRead = false }: DispatchOptions = {},
  ): Promise<Outcome> {
    const scope = runningHookOf(this)
    if (scope) return runAsync(this.#refuseInside(scope, source))
    if (this.#closed) return Promise.reject(workspaceClosed())
    if (drain) return this.#dispatchDrained(source, cause)
    const goesOn = callOf !== undefined && this.#calls?.changed.has(nameIn(callOf)) === false
    const inTurn = goesOn && this.#calls !== null ? this.#calls.inTurn : this.#inTurn
    return inTurn(() => runAsync(this.#carryOut(source, cause, undefined, justRead)))
  }

  /**
   * Awaits hooks of a plan. Meanwhile the calls of tools that the plan neither adds nor removes go on: their
   * commands take turns of their own, the last of which ends before this does.
   */
  *besideCalls<T>(plan: Plan, hooks: Promise<T>): MaybeAsync<T> {
    const calls = {
      changed: changedTools(plan, this.#parts.store.getState().state),
      inTurn: serialQueue(),
    }
    this.#calls = calls
    try {
      return yield* waitFor(hooks)
    } finally {
      this.#calls = null
      yield calls.inTurn(async () => undefined)
    }
  }

  /**
   * Carries out a command before the call returns. It does not wait in the queue: a queued command that
   * is awaiting its log finds that the state has changed, and is decided again.
   *
   * For a log that commits at once, and commands without hooks; throws `LOG_NOT_IMMEDIATE` and
   * `HOOKS_TAKE_TIME` for others, and the errors that `dispatch` rejects with.
   */
  dispatchNow(command: CommandSource, cause: Cause): Outcome {
    const scope = runningHookOf(this)
    if (scope) return runSync(this.#refuseInside(scope, command))
    if (this.#closed) throw workspaceClosed()
    const { immediate, session } = this.#parts.journal
    if (immediate === undefined) throw logNotImmediate(session)
    return runSync(this.#carryOut(command, cause, immediate))
  }

  /**
   * Returns true when a command given now would be decided, for work that has to be done before it; false
   * inside a hook. Throws what `dispatch` rejects with.
   */
  accepts(): boolean {
    if (runningHookOf(this)) return false
    if (this.#closed) throw workspaceClosed()
    this.#refuseReadOnly()
    return true
  }

  /** Folds the entries of other processes, in its turn. A read-only workspace stays at its entry. */
  catchUp(): Promise<void> {
    if (this.#parts.readOnly || this.#closed) return Promise.resolve()
    return this.#inTurn(async () => void (await runAsync(this.#parts.journal.catchUp())))
  }

  /**
   * Folds the entries of other processes into a workspace that follows its session, read-only or not.
   *
   * @param onTurn called before the log is read: a change that is reported later needs another turn
   */
  follow(onTurn: () => void): Promise<void> {
    return this.#inTurn(async () => {
      onTurn()
      if (!this.#closed) await runAsync(this.#parts.journal.catchUp())
    })
  }

  /** Takes over what has changed in the parent of a child session, as every command does first. Waits for no hook. */
  async inherit(): Promise<void> {
    if (runningHookOf(this) || this.#calls !== null) return
    await this.#inTurn(async () => {
      if (!this.#closed) await runAsync(this.#inherit(this.#parts.journal.backoff()))
    })
  }

  /** Folds entries that were read from the log, and follow the state. */
  advance(entries: readonly Entry[]): Promise<void> {
    return this.#inTurn(() => runAsync(this.#parts.journal.advance(entries)))
  }

  /** Accepts no more commands, and waits for the queued ones. A hook does not wait for its own command. */
  async close(): Promise<void> {
    this.#closed = true
    if (runningHookOf(this)) return
    await this.#inTurn(async () => undefined)
    await this.#parts.journal.settle()
  }

  *#carryOut(
    source: CommandSource,
    cause: Cause,
    immediate?: ImmediateLog,
    justRead = false,
  ): MaybeAsync<Outcome> {
    const backoff = this.#parts.journal.backoff()
    const decided = yield* this.#decide(source, this.#stamp(cause), backoff)
    return yield* this.#commit(decided, source, backoff, immediate, justRead)
  }

  /**
   * Carries out a command, but lets the running calls of the skills that it deactivates end first. A call
   * ends with a command of its own, so the command gives up its turn meanwhile. In its second turn the
   * decision is committed; it is made again only when the state has changed.
   */
  async #dispatchDrained(source: CommandSource, cause: Cause): Promise<Outcome> {
    const first = await this.#inTurn(() => runAsync(this.#carryOutUnlessCallsRun(source, cause)))
    if ('outcome' in first) return first.outcome
    await first.calls
    if (this.#closed) throw workspaceClosed()
    return this.#inTurn(() => runAsync(this.#carryOutDecided(first.decided, source, cause)))
  }

  *#carryOutUnlessCallsRun(
    source: CommandSource,
    cause: Cause,
  ): MaybeAsync<{ readonly outcome: Outcome } | RunningCalls> {
    const backoff = this.#parts.journal.backoff()
    const decided = yield* this.#decide(source, this.#stamp(cause), backoff)
    const leaving = deactivatedSkills(decided.decision.drafts)
    const calls = leaving.length === 0 ? null : this.#parts.drainCallsOf(leaving)
    if (calls !== null) return { decided, calls }
    return { outcome: yield* this.#commit(decided, source, backoff) }
  }

  *#carryOutDecided(decided: Decided, source: CommandSource, cause: Cause): MaybeAsync<Outcome> {
    if (this.#parts.store.getState().state !== decided.state)
      return yield* this.#carryOut(source, cause)
    return yield* this.#commit(decided, source, this.#parts.journal.backoff())
  }

  /** Returns the decision on a command in a state. Nothing is recorded. */
  preview(command: Command, cause: Cause, state: WorkspaceState): Decision {
    return decide(state, { ...this.#stamp(cause), command }, this.#parts.context)
  }

  /** The cause, time and id of a command. */
  #stamp(cause: Cause): Stamp {
    const { clock, outlived } = this.#parts
    return { cause, now: clock.now(), outlived: outlived(), id: randomId() }
  }

  #refuseReadOnly(): void {
    if (!this.#parts.readOnly) return
    throw new WorkspaceError('READ_ONLY', 'This workspace is read-only.', {
      hint: 'Open the session without readOnly or at to change it.',
    })
  }

  *#decide(source: CommandSource, stamp: Stamp, backoff: ConflictBackoff): MaybeAsync<Decided> {
    const { store, context } = this.#parts
    this.#refuseReadOnly()
    yield* this.#inherit(backoff)
    for (;;) {
      const { state } = store.getState()
      const command = typeof source === 'function' ? yield* waitFor(source(state)) : source
      if (store.getState().state === state) {
        const order = { ...stamp, command }
        return { state, order, decision: decide(state, order, context) }
      }
      yield* backoff.wait()
    }
  }

  /** Records what a child session takes over from its parent: policies, and answers to its questions. */
  *#inherit(backoff: ConflictBackoff): MaybeAsync<void> {
    const { parent, store, context, journal, notify } = this.#parts
    if (parent === null) return
    for (; ; yield* backoff.wait()) {
      const inherited = yield* waitFor(parent.read())
      const before = store.getState().state
      if (inherited === null || before.opening === null) return
      const drafts = inheritedDrafts(before, inherited)
      if (drafts.length === 0) return
      const entries = yield* journal.append(drafts)
      if (entries === null) continue
      return notify(successfulOutcome(before, store.getState().state, context), entries)
    }
  }

  /** Appends the entries of a decision, folds them and notifies. Decides again when another process was first. */
  *#commit(
    first: Decided,
    source: CommandSource,
    backoff: ConflictBackoff,
    immediate?: ImmediateLog,
    justRead = false,
  ): MaybeAsync<Outcome> {
    const { store, journal, abortCallsOf } = this.#parts
    const before = store.getState().state
    for (let decided = first; ; yield* backoff.wait()) {
      if (store.getState().state !== decided.state)
        decided = yield* this.#decide(source, first.order, backoff)
      const { decision } = decided
      if (decision.kind === 'planned' && decision.hooks.length > 0) {
        if (immediate !== undefined) throw hooksTakeTime(decision)
        const plan = { ...decided, decision }
        return this.#finish(before, yield* carryOutPlan(plan, this, this.#parts))
      }
      const isNoChange = decision.drafts.length === 0 && !justRead
      if (isNoChange && (yield* journal.catchUp(immediate))) continue
      const entries = yield* journal.append(decision.drafts, immediate, registrationOf(decided))
      if (entries === null) continue
      const leaving = deactivatedSkills(decision.drafts)
      if (leaving.length > 0) abortCallsOf(leaving)
      const refusal = decision.kind === 'refused' ? decision.refusal : null
      return this.#finish(before, { entries, refusal })
    }
  }

  #finish(before: WorkspaceState, { entries, refusal }: PlanOutcome): Outcome {
    const { store, context, notify } = this.#parts
    const { state } = store.getState()
    const outcome: Outcome = refusal
      ? refusedOutcome(state.seq, redactedRefusal(refusal, context.redactor))
      : successfulOutcome(before, state, context)
    if (entries.length > 0) notify(outcome, entries)
    return outcome
  }

  /** Refuses a command from inside a hook. The hook is recorded as the cause, whatever cause is given. */
  *#refuseInside(scope: HookScope, source: CommandSource): MaybeAsync<Outcome> {
    const { store } = this.#parts
    const { type } =
      typeof source === 'function' ? yield* waitFor(source(store.getState().state)) : source
    const refusal: Refusal = {
      code: 'inside-hook',
      message: `A hook of "${scope.skill}" gave the command ${type}; hooks cannot command their own workspace.`,
      hint: 'Do it after the activation: by "requires", in a tool, or in the host.',
      facts: { skill: scope.skill, command: type },
    }
    const cause: Cause = { by: 'hook', skill: scope.skill }
    scope.refusals.push(refusalDraft(type, cause, scope.skill, refusal))
    return refusedOutcome(store.getState().state.seq, refusal)
  }
}

/** Returns the tools whose handlers a decision binds. A refused registration binds none. */
function registrationOf({ order: { command }, decision }: Decided): Registration | undefined {
  const registers = command.type === 'source.register' || command.type === 'source.sync'
  return decision.kind === 'accepted' && registers ? command : undefined
}

/** Turns for the commands of calls while hooks run. */
interface CallsBesideHooks {
  /** The names of the tools that the plan adds or removes. */
  readonly changed: ReadonlySet<string>
  readonly inTurn: ReturnType<typeof serialQueue>
}

function changedTools({ drafts }: Plan, { open }: WorkspaceState): ReadonlySet<string> {
  const claims = drafts.flatMap(({ event }) => {
    if (event.type === 'source.opened' || event.type === 'source.synced') return event.claims
    if (event.type !== 'source.closed') return []
    const leaving = open.find(
      ({ source, owner }) => source === event.source && owner === event.owner,
    )
    return leaving?.claims ?? []
  })
  return new Set(claims.map(({ name }) => name))
}

/** Returns the name in an address such as `owner/name`. */
export function nameIn(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}

/** All of an order but its command. */
type Stamp = Omit<Order, 'command'>

/** Random bytes for the next ids. Every request to the system takes as long as a few entries, so it is for many. */
const randomPool = Buffer.alloc(4_096)
let usedBytes = randomPool.length

/** Returns 128 random bits. */
function randomId(): string {
  if (usedBytes === randomPool.length) {
    randomFillSync(randomPool)
    usedBytes = 0
  }
  usedBytes += 16
  return randomPool.toString('hex', usedBytes - 16, usedBytes)
}

/** A decision, and the running calls that have to end before it is carried out. */
interface RunningCalls {
  readonly decided: Decided
  readonly calls: Promise<void>
}

/** A refusal may quote arguments, and they may contain secrets. */
function redactedRefusal({ code, ...texts }: Refusal, redactor: Redactor | undefined): Refusal {
  return { code, ...(redactor?.value(texts) ?? texts) }
}

function hooksTakeTime({ wanted, hooks }: Plan): WorkspaceError {
  return new WorkspaceError('HOOKS_TAKE_TIME', `"${wanted}" has hooks, and they are awaited.`, {
    hint: 'Await the command.',
    facts: { skill: wanted, hooks: hooks.map(({ skill, hook }) => `${skill}.${hook}`) },
  })
}

export function workspaceClosed(): WorkspaceError {
  return new WorkspaceError('WORKSPACE_CLOSED', 'This workspace is closed.', {
    hint: 'Open the session again.',
  })
}
