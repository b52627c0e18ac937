import type { Command } from '../engine/command.ts'
import type { IntentCommand } from '../engine/intent-command.ts'
import { sessionHealth, type SessionHealth } from '../engine/session-health.ts'
import { endLifetimes } from '../session/end-lifetimes.ts'
import type { Outcome } from '../session/outcome.ts'
import type { VariableScope } from '../kernel/variables.ts'
import type { CommandOptions } from './command-options.ts'
import type { SessionParts } from './session-parts.ts'
import { WorkspaceReader } from './workspace-reader.ts'

/** What a host conducts a session by, beside its skills and tools: turns, and what became of calls. */
export class HostedWorkspace extends WorkspaceReader {
  readonly #parts: SessionParts

  constructor(parts: SessionParts, variables: VariableScope | undefined) {
    super(parts, variables)
    this.#parts = parts
  }

  /**
   * A user's message begins a turn: budgets of a turn start anew, and what was to last until now
   * goes: skills by their lifetime (each a command of its own), found tools.
   */
  async beginTurn(options?: CommandOptions): Promise<Outcome> {
    const outcome = await this.#dispatch({ type: 'turn.begin' }, options)
    if (outcome.ok) await endLifetimes(this.#parts)
    return outcome
  }

  /**
   * The answer to the user's message is complete: intents for after the turn are due. A turn that nobody
   * ended is over when the next one begins.
   */
  endTurn(options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'turn.end' }, options)
  }

  /** Take an intent, or say what came of it: what a `StateController` does. */
  recordIntent(command: IntentCommand): Promise<Outcome> {
    return this.#dispatch(command)
  }

  /** Handlers of this process that ended after their call was given up on; their results are dropped. */
  get lateResults(): number {
    return this.#parts.inFlight.late
  }

  /**
   * What goes wrong here without stopping anything: results that gave working memory nothing,
   * searches in vain, hooks that failed, calls that were refused, and the late results of this
   * process. Read off the log.
   */
  async health(): Promise<SessionHealth & { readonly lateResults: number }> {
    return { ...sessionHealth(await this.entries()), lateResults: this.lateResults }
  }

  #dispatch(command: Command, { by = 'host' }: CommandOptions = {}): Promise<Outcome> {
    return this.#parts.dispatcher.dispatch(command, { by })
  }
}
