import type { Decision } from '../../../engine/decide/decision.ts'
import { isMeta } from '../../../engine/model/source-event.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { CallLimits } from './call-limits.ts'
import { emitWarning } from '../../commands/outcome.ts'
import type { SessionJournal } from '../../commands/session-journal.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'

/** A call that is about to start. */
interface BudgetedCall {
  /** The principal that the session acts for; null for a session without one. */
  readonly principal: string | null
  readonly session: string
  /** The name of the tool in the session. */
  readonly tool: string
  readonly call: string
}

/**
 * A budget of calls for each principal, over all of its sessions, in all processes that share it.
 *
 * Each call of a tool takes its part just before it starts, so two that take the last part at once must not both get it.
 * When the budget rejects, the call is not made.
 */
export interface CallBudget {
  /**
   * Takes the part of a call. Resolves with a function that gives it back, for a call that then does not start; with null
   * when the principal has none left.
   */
  take(call: BudgetedCall): Promise<(() => Promise<void>) | null>
}

/** The error for a budget that failed. Its own text may hold a password, so the host gets it as a warning. */
function unreadable(cause: unknown): never {
  emitWarning(cause)
  const message = 'The budget of calls could not be read, so the call was not made.'
  const hint = 'Make it again in a moment. Otherwise, continue without it.'
  throw new WorkspaceError('BUDGET_UNREADABLE', message, { hint, cause })
}

interface BudgetParts extends Pick<SessionJournal, 'session' | 'store'> {
  readonly budget: CallBudget | undefined
  readonly limits: Pick<CallLimits, 'timeoutMs'>
}

/** The part of a principal's budget that one call takes, and gives back unless it starts. */
export class BudgetPart {
  readonly #parts: BudgetParts
  #giveBack: (() => Promise<void>) | null = null
  #isSpent = false

  constructor(parts: BudgetParts) {
    this.#parts = parts
  }

  /** True when the principal had no call left. */
  get isSpent(): boolean {
    return this.#isSpent
  }

  /**
   * Takes the part of a call that would start. A call that is refused takes none, nor does one that is made again after it
   * was cut short: it took its part then.
   */
  async take(call: string, decision: () => Decision): Promise<void> {
    const { budget, store, session, limits } = this.#parts
    this.#isSpent = false
    if (budget === undefined) return
    const decided = decision()
    const drafts = decided.kind === 'accepted' ? decided.drafts : []
    const started = drafts.map(({ event }) => event).find(({ type }) => type === 'call.started')
    if (started?.type !== 'call.started' || isMeta(started)) return
    if (started.again !== undefined) return
    const principal = store.getState().state.opening?.principal ?? null
    const take = async () => {
      const given = await budget.take({ principal, session, tool: started.tool, call })
      if (given === null || typeof given === 'function') return given
      throw new TypeError('The budget resolved with neither null nor a function.')
    }
    const taking = withTimeLimit('The budget of calls', limits.timeoutMs, take).catch(unreadable)
    this.#giveBack = await taking
    this.#isSpent = this.#giveBack === null
  }

  /** Starts the call with its part, and gives the part back when it does not start. It stays taken when that fails. */
  async spend<Started extends { readonly ok: boolean }>(
    start: () => Promise<Started>,
  ): Promise<Started> {
    const giveBack = this.#giveBack
    this.#giveBack = null
    const started = await start()
    if (!started.ok) await giveBack?.().catch(emitWarning)
    return started
  }
}
