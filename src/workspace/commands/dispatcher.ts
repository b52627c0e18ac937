import { type Decision, refusalDraft } from '../../engine/decide/decision.ts'
import { inheritedDrafts } from '../../engine/decide/inherited-drafts.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command, Order, Refusal } from '../../engine/model/command.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { decide } from '../../engine/decide/decide.ts'
import { decideWithTexts } from './decide-with-texts.ts'
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
import { type Outcome, refusedOutcome, successfulOutcome } from './outcome.ts'

/** A command, or a function that makes one from the state when its turn comes. */
export type CommandSource = Command | ((state: WorkspaceState) => Command | Promise<Command>)

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
    if (scope) return this.#refuseInside(scope, source)
    if (this.#closed) return Promise.reject(workspaceClosed())
    if (drain) return this.#dispatchDrained(source, cause)
    const calls = this.#calls
    const goesOn = calls !== null && callOf !== undefined && !calls.changed.has(nameIn(callOf))
    const inTurn = goesOn ? calls.inTurn : this.#inTurn
    return inTurn(() => this.#carryOut(source, cause, { justRead }))
  }

  /**
   * Awaits hooks of a plan. Meanwhile the calls of tools that the plan neither adds nor removes go on: their
   * commands take turns of their own, the last of which ends before this does.
   */
  async besideCalls<T>(plan: Plan, hooks: Promise<T>): Promise<T> {
    const calls = {
      changed: changedTools(plan, this.#parts.store.getState().state),
      inTurn: serialQueue(),
    }
    this.#calls = calls
    try {
      return await hooks
    } finally {
      this.#calls = null
      await calls.inTurn(async () => undefined)
    }
  }

  /**
   * Returns true when a command given now would be decided, for work that has to be done before it; false
   * inside a hook. Throws what `dispatch` rejects with.
   */
  accepts(): boolean {
    if (runningHookOf(this)) return false
    if (this.#closed) throw workspaceClosed()
    if (this.#parts.readOnly) throw workspaceReadOnly()
    return true
  }

  /**
   * Refuses a command that is given inside a hook; returns null for one that would be decided now. Throws what
   * `dispatch` rejects with.
   */
  refuseInside(type: Command['type']): Outcome | null {
    const scope = runningHookOf(this)
    if (scope) return this.#refuse(scope, type)
    this.accepts()
    return null
  }

  /** Folds the entries of other processes, in its turn. A read-only workspace stays at its entry. */
  catchUp(): Promise<void> {
    if (this.#parts.readOnly || this.#closed) return Promise.resolve()
    return this.#inTurn(async () => void (await this.#parts.journal.catchUp()))
  }

  /**
   * Folds the entries of other processes into a workspace that follows its session, read-only or not.
   *
   * @param onTurn called before the log is read: a change that is reported later needs another turn
   */
  follow(onTurn: () => void): Promise<void> {
    return this.#inTurn(async () => {
      onTurn()
      if (!this.#closed) await this.#parts.journal.catchUp()
    })
  }

  /** Takes over what has changed in the parent of a child session, as every command does first. Waits for no hook. */
  async inherit(): Promise<void> {
    if (runningHookOf(this) || this.#calls !== null) return
    await this.#inTurn(async () => {
      if (!this.#closed) await this.#inherit([])
    })
  }

  /** Folds entries that were read from the log, and follow the state. */
  advance(entries: readonly Entry[]): Promise<void> {
    return this.#inTurn(() => this.#parts.journal.advance(entries))
  }

  /** Accepts no more commands, and waits for the queued ones. A hook does not wait for its own command. */
  async close(): Promise<void> {
    this.#closed = true
    if (runningHookOf(this)) return
    await this.#inTurn(async () => undefined)
    await this.#parts.journal.settle()
  }

  /**
   * Carries out a command, but lets the running calls of the skills that it deactivates end first. A call
   * ends with a command of its own, so the command gives up its turn meanwhile. In its second turn the
   * decision is committed; it is made again only when the state has changed.
   */
  async #dispatchDrained(source: CommandSource, cause: Cause): Promise<Outcome> {
    const first = await this.#inTurn(() => this.#carryOut(source, cause, { drain: true }))
    if (!('calls' in first)) return first
    await first.calls
    if (this.#closed) throw workspaceClosed()
    const { decided } = first
    return this.#inTurn(() => this.#carryOut(source, cause, { decided }))
  }

  /** Returns the decision on a command in a state. Nothing is recorded. */
  preview(command: Command, cause: Cause, state: WorkspaceState): Decision {
    return decideWithTexts(state, { ...this.#stamp(cause), command }, this.#parts.context)
  }

  /** The cause, time and id of a command. */
  #stamp(cause: Cause): Stamp {
    const { clock, outlived } = this.#parts
    return { cause, now: clock.now(), outlived: outlived(), id: randomId() }
  }

  /**
   * Records what a child session takes over from its parent: policies, and answers to its questions.
   *
   * @param losses those of the command that it is done for
   */
  async #inherit(losses: number[]): Promise<void> {
    const { parent, store, context, journal, notify } = this.#parts
    if (parent === null) return
    for (; ; await journal.backOff(losses)) {
      const inherited = await parent.read()
      const before = store.getState().state
      if (inherited === null || before.opening === null) return
      const drafts = inheritedDrafts(before, inherited)
      if (drafts.length === 0) return
      const entries = await journal.append(drafts)
      if (entries === null) continue
      return notify(successfulOutcome(before, store.getState().state, context), entries)
    }
  }

  /**
   * Decides a command, appends its entries, folds them and notifies. Decides again when the state has changed meanwhile.
   * What needs no waiting is decided when the turn begins.
   *
   * @param given `decided`: the decision of an earlier turn. `drain`: to return the running calls that have to end first
   */
  #carryOut(source: CommandSource, cause: Cause, given?: GivenTurn): Promise<Outcome>
  #carryOut(
    source: CommandSource,
    cause: Cause,
    given: { readonly drain: true },
  ): Promise<Outcome | RunningCalls>
  async #carryOut(
    source: CommandSource,
    cause: Cause,
    { decided: known, justRead = false, drain = false }: GivenTurn & { drain?: boolean } = {},
  ): Promise<Outcome | RunningCalls> {
    const { store, context, journal, parent, readOnly, drainCallsOf } = this.#parts
    if (readOnly) throw workspaceReadOnly()
    let decided = known?.state === store.getState().state ? known : undefined
    let before = decided?.state
    const stamp = decided?.order ?? this.#stamp(cause)
    for (const losses: number[] = []; ; await journal.backOff(losses)) {
      if (decided === undefined || store.getState().state !== decided.state) {
        if (parent !== null) await this.#inherit(losses)
        const { state } = store.getState()
        const command = typeof source === 'function' ? await source(state) : source
        if (store.getState().state !== state) continue
        const order = { ...stamp, command }
        const activates = command.type === 'skill.activate' || command.type === 'condition.settle'
        const settle = activates ? decideWithTexts : decide
        decided = { state, order, decision: settle(state, order, context) }
      }
      const { decision } = decided
      const leaving = drain && before === undefined ? deactivatedSkills(decision.drafts) : []
      const calls = leaving.length === 0 ? null : drainCallsOf(leaving)
      if (calls !== null) return { decided, calls }
      before ??= decided.state
      if (decision.kind === 'planned' && decision.hooks.length > 0) {
        const plan = { ...decided, decision }
        return this.finish(before, await carryOutPlan(plan, this, this.#parts))
      }
      const isNoChange = decision.drafts.length === 0 && !justRead
      if (isNoChange && (await journal.catchUp())) continue
      const { command } = decided.order
      const registers = command.type === 'source.register' || command.type === 'source.sync'
      // A refused registration binds no handlers.
      const registration = registers && decision.kind === 'accepted' ? command : undefined
      const entries = await journal.append(decision.drafts, registration)
      if (entries === null) continue
      const refusal = decision.kind === 'refused' ? decision.refusal : null
      return this.finish(before, { entries, refusal })
    }
  }

  /** Aborts the calls of skills that left, notifies, and returns the outcome of entries that are folded. */
  finish(before: WorkspaceState, { entries, refusal }: PlanOutcome): Outcome {
    const { store, context, notify, abortCallsOf } = this.#parts
    const { state } = store.getState()
    const leaving = deactivatedSkills(entries)
    if (leaving.length > 0) abortCallsOf(leaving)
    const outcome: Outcome = refusal
      ? refusedOutcome(state.seq, redactedRefusal(refusal, context.redactor))
      : successfulOutcome(before, state, context)
    if (entries.length > 0) notify(outcome, entries)
    return outcome
  }

  async #refuseInside(scope: HookScope, source: CommandSource): Promise<Outcome> {
    const { state } = this.#parts.store.getState()
    const { type } = typeof source === 'function' ? await source(state) : source
    return this.#refuse(scope, type)
  }

  /** Refuses a command from inside a hook. The hook is recorded as the cause, whatever cause is given. */
  #refuse(scope: HookScope, type: Command['type']): Outcome {
    const refusal: Refusal = {
      code: 'inside-hook',
      message: `A hook of "${scope.skill}" gave the command ${type}; hooks cannot command their own workspace.`,
      hint: 'Do it after the activation: by "requires", in a tool, or in the host.',
      facts: { skill: scope.skill, command: type },
    }
    const cause: Cause = { by: 'hook', skill: scope.skill }
    scope.refusals.push(refusalDraft(type, cause, scope.skill, refusal))
    return refusedOutcome(this.#parts.store.getState().state.seq, refusal)
  }
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
const randomPool = new Uint8Array(4_096)
let usedBytes = randomPool.length

function hexadecimal(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** Returns 128 random bits. */
function randomId(): string {
  if (usedBytes === randomPool.length) {
    crypto.getRandomValues(randomPool)
    usedBytes = 0
  }
  usedBytes += 16
  return Array.from(randomPool.subarray(usedBytes - 16, usedBytes), hexadecimal).join('')
}

/** Facts that a command brings to its turn. */
interface GivenTurn {
  readonly decided?: Decided
  readonly justRead?: boolean
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

function workspaceReadOnly(): WorkspaceError {
  return new WorkspaceError('READ_ONLY', 'This workspace is read-only.', {
    hint: 'Open the session without readOnly or at to change it.',
  })
}

export function workspaceClosed(): WorkspaceError {
  return new WorkspaceError('WORKSPACE_CLOSED', 'This workspace is closed.', {
    hint: 'Open the session again.',
  })
}
