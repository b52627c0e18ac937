import { randomBytes } from 'node:crypto'
import { decide } from '../../engine/decide/decide.ts'
import { type Decision, refusalDraft } from '../../engine/decide/decision.ts'
import type { Cause } from '../../engine/model/cause.ts'
import type { Command, Order, Refusal } from '../../engine/model/command.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import {
  carryOutPlan,
  deactivatedSkills,
  type DispatcherParts,
  type PlanOutcome,
} from './carry-out-plan.ts'
import { CONFLICT_LIMIT, tooManyConflicts } from './journal.ts'
import { type Outcome, successfulOutcome } from './outcome.ts'
import { type HookScope, runningHookOf } from './run-hooks.ts'

/** A command, or what makes one out of the state at the moment its turn comes. */
export type CommandSource = Command | ((state: WorkspaceState) => Command | Promise<Command>)

/**
 * Carries out the commands of one session, one after another:
 * decide, run the hooks of a plan, append, fold, tell.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #inTurn = serialQueue()
  #closed = false

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  /**
   * Queue a command. Resolves when the log has what it came to, a refusal included;
   * rejects only when the log could not take it, or the workspace is closed.
   */
  dispatch(source: CommandSource, cause: Cause): Promise<Outcome> {
    const scope = runningHookOf(this)
    if (scope) return this.#refuseSource(scope, source)
    if (this.#closed) return Promise.reject(workspaceClosed())
    return this.#inTurn(() => this.#carryOut(source, cause))
  }

  /**
   * Carry out a command before the call returns. It does not stand in the queue: one that waits
   * there for its log finds the state moved on, and is decided anew.
   *
   * For a log that commits at once, and commands without hooks; throws `LOG_NOT_IMMEDIATE` and
   * `HOOKS_TAKE_TIME` for others, and whatever `dispatch` rejects with.
   */
  dispatchNow(command: Command, cause: Cause): Outcome {
    const scope = runningHookOf(this)
    if (scope) return this.#refuseInside(scope, command)
    if (this.#closed) throw workspaceClosed()
    return this.#finish(this.#parts.store.getState().state, this.#appendNow(command, cause))
  }

  /** Take up what other processes appended, in its turn. Who only looks stays where it is. */
  catchUp(): Promise<void> {
    if (this.#parts.readOnly || this.#closed) return Promise.resolve()
    return this.#inTurn(async () => void (await this.#parts.journal.catchUp()))
  }

  /**
   * The same for who follows the session, also where it is only looked at. Changes that are told
   * before `onTurn` was called are taken up.
   */
  follow(onTurn: () => void): Promise<void> {
    return this.#inTurn(async () => {
      onTurn()
      if (!this.#closed) await this.#parts.journal.catchUp()
    })
  }

  /** Let the queued commands end, then take no more. A hook does not wait for its own command. */
  async close(): Promise<void> {
    this.#closed = true
    if (runningHookOf(this)) return
    await this.#inTurn(async () => undefined)
    await this.#parts.journal.settle()
  }

  async #carryOut(source: CommandSource, cause: Cause): Promise<Outcome> {
    const before = this.#parts.store.getState().state
    return this.#finish(before, await this.#decideAndAppend(source, this.#stamp(cause)))
  }

  #stamp(cause: Cause): Omit<Order, 'command'> {
    if (this.#parts.readOnly) {
      throw new WorkspaceError('READ_ONLY', 'This workspace only looks at its session.', {
        hint: 'Open the session without readOnly or at to change it.',
      })
    }
    const { clock, outlived } = this.#parts
    const id = randomBytes(16).toString('hex')
    return { cause, now: clock.now(), outlived: outlived(), id }
  }

  #finish(before: WorkspaceState, { entries, refusal }: PlanOutcome): Outcome {
    const { state } = this.#parts.store.getState()
    const { surroundings } = this.#parts
    const outcome: Outcome = refusal
      ? { ok: false, seq: state.seq, ...redactedRefusal(refusal, surroundings.redactor) }
      : successfulOutcome(before, state, surroundings)
    if (entries.length > 0) this.#parts.notify(outcome, entries)
    return outcome
  }

  async #decideAndAppend(
    source: CommandSource,
    stamp: Omit<Order, 'command'>,
  ): Promise<PlanOutcome> {
    const { store, journal, surroundings, abortCallsOf } = this.#parts
    for (let attempt = 0; attempt < CONFLICT_LIMIT; attempt += 1) {
      const { state } = store.getState()
      const order = { command: await commandOf(source, state), ...stamp }
      if (store.getState().state !== state) continue
      const decision = decide(state, order, surroundings)
      if (decision.kind === 'planned' && decision.hooks.length > 0) {
        return carryOutPlan(order, decision, { ...this.#parts, owner: this, decidedOn: state })
      }
      if (decision.drafts.length === 0 && (await journal.catchUp())) continue
      const entries = await journal.append(decision.drafts)
      if (entries !== null) {
        abortCallsOf(deactivatedSkills(decision.drafts))
        return { entries, refusal: decision.kind === 'refused' ? decision.refusal : null }
      }
    }
    throw tooManyConflicts(journal.session)
  }

  #appendNow(command: Command, cause: Cause): PlanOutcome {
    const { store, journal, surroundings, abortCallsOf, immediate } = this.#parts
    if (immediate === undefined) throw notImmediate(journal.session)
    const stamp = this.#stamp(cause)
    for (let attempt = 0; attempt < CONFLICT_LIMIT; attempt += 1) {
      const decision = decide(store.getState().state, { command, ...stamp }, surroundings)
      if (decision.kind === 'planned' && decision.hooks.length > 0) throw hooksTakeTime(decision)
      const entries = journal.appendNow(decision.drafts, immediate)
      if (entries === null) continue
      abortCallsOf(deactivatedSkills(decision.drafts))
      return { entries, refusal: decision.kind === 'refused' ? decision.refusal : null }
    }
    throw tooManyConflicts(journal.session)
  }

  async #refuseSource(scope: HookScope, source: CommandSource): Promise<Outcome> {
    const { state } = this.#parts.store.getState()
    return this.#refuseInside(scope, await commandOf(source, state))
  }

  /** Whoever the command says it is for, it is the hook that gave it. */
  #refuseInside(scope: HookScope, { type }: Command): Outcome {
    const { state } = this.#parts.store.getState()
    const refusal: Refusal = {
      code: 'inside-hook',
      message: `A hook of "${scope.skill}" gave the command ${type}; hooks cannot command their own workspace.`,
      hint: 'Do it after the activation: by "requires", in a tool, or in the host.',
      facts: { skill: scope.skill, command: type },
    }
    const cause: Cause = { by: 'hook', skill: scope.skill }
    scope.refusals.push(refusalDraft(type, cause, scope.skill, refusal))
    return { ok: false, seq: state.seq, ...refusal }
  }
}

/** A refusal may quote what somebody gave. */
function redactedRefusal({ code, ...told }: Refusal, redactor: Redactor | undefined): Refusal {
  return { code, ...(redactor?.value(told) ?? told) }
}

/** A command, made anew from the state whenever another process has changed it meanwhile. */
function commandOf(source: CommandSource, state: WorkspaceState): Command | Promise<Command> {
  return typeof source === 'function' ? source(state) : source
}

function notImmediate(session: string): WorkspaceError {
  return new WorkspaceError('LOG_NOT_IMMEDIATE', 'This log does not commit at once.', {
    hint: 'Await the command, or keep the session in a log of createMemoryLog.',
    facts: { session },
  })
}

function hooksTakeTime({ wanted, hooks }: Extract<Decision, { kind: 'planned' }>): WorkspaceError {
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
