import { randomBytes } from 'node:crypto'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { Cause } from '../engine/cause.ts'
import type { Command, Order } from '../engine/command.ts'
import { decide } from '../engine/decide/decide.ts'
import { refusalDraft, type Refusal } from '../engine/decide/decision.ts'
import type { WorkspaceState } from '../engine/state.ts'
import { toolDifference } from '../engine/tool-difference.ts'
import { toolTable } from '../engine/tool-table.ts'
import { closedSkills } from './closed-skills.ts'
import { carryOutPlan, type PlanOutcome } from './carry-out-plan.ts'
import type { DispatcherParts } from './dispatcher-parts.ts'
import { runningHookOf, type HookScope } from './hook-scope.ts'
import { CONFLICT_LIMIT, tooManyConflicts } from './journal.ts'
import type { Outcome } from './outcome.ts'
import { workspaceClosed } from './workspace-closed.ts'

/** A command, or what makes one out of the state at the moment its turn comes. */
export type CommandSource = Command | ((state: WorkspaceState) => Command | Promise<Command>)

/**
 * Carries out the commands of one session, one after another:
 * decide, run the hooks of a plan, append, fold, tell.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts
  #last: Promise<unknown> = Promise.resolve()
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
    if (scope) return this.#refuseInside(scope, source, cause)
    if (this.#closed) return Promise.reject(workspaceClosed())
    const turn = this.#last.then(() => this.#carryOut(source, cause))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Let the queued commands end, then take no more. A hook does not wait for its own command. */
  async close(): Promise<void> {
    this.#closed = true
    if (!runningHookOf(this)) await this.#last
  }

  async #carryOut(source: CommandSource, cause: Cause): Promise<Outcome> {
    if (this.#parts.readOnly) {
      throw new WorkspaceError('READ_ONLY', 'This workspace only looks at its session.', {
        hint: 'Open the session without readOnly or at to change it.',
      })
    }
    const { store, clock } = this.#parts
    const before = store.getState().state
    const stamp = { cause, now: clock.now(), id: randomBytes(16).toString('hex') }
    const { entries, refusal } = await this.#decideAndAppend(source, stamp)
    const { state } = store.getState()
    const outcome: Outcome = refusal
      ? { ok: false, seq: state.seq, ...refusal }
      : { ok: true, seq: state.seq, difference: this.#difference(before, state) }
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
      const decision = decide(state, order, surroundings)
      if (decision.kind === 'planned' && decision.hooks.length > 0) {
        return carryOutPlan(order, decision, { ...this.#parts, owner: this })
      }
      if (decision.drafts.length === 0 && (await journal.catchUp())) continue
      const entries = await journal.append(decision.drafts)
      if (entries !== null) {
        abortCallsOf(closedSkills(decision.drafts))
        return { entries, refusal: decision.kind === 'refused' ? decision.refusal : null }
      }
    }
    throw tooManyConflicts(journal.session)
  }

  #difference(before: WorkspaceState, after: WorkspaceState) {
    const { surroundings } = this.#parts
    return toolDifference(toolTable(before, surroundings), toolTable(after, surroundings))
  }

  async #refuseInside(scope: HookScope, source: CommandSource, cause: Cause): Promise<Outcome> {
    const { state } = this.#parts.store.getState()
    const { type } = await commandOf(source, state)
    const refusal: Refusal = {
      code: 'inside-hook',
      message: `A hook of "${scope.skill}" gave the command ${type}; hooks cannot command their own workspace.`,
      hint: 'Do it after the activation: by "requires", in a tool, or in the host.',
      facts: { skill: scope.skill, command: type },
    }
    scope.refusals.push(refusalDraft(type, cause, scope.skill, refusal))
    return { ok: false, seq: state.seq, ...refusal }
  }
}

/** A command, made anew from the state whenever another process has changed it meanwhile. */
function commandOf(source: CommandSource, state: WorkspaceState): Command | Promise<Command> {
  return typeof source === 'function' ? source(state) : source
}
