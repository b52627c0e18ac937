import type { IntentCommand } from '../engine/model/intent-command.ts'
import { sessionHealth, type SessionHealth } from '../engine/explain/session-health.ts'
import type { WorkspaceState } from '../engine/model/state.ts'
import { awaitCall } from './calls/await-call.ts'
import { callReport, type CallReport } from './calls/call-report.ts'
import type { CommandSource } from './commands/dispatcher.ts'
import { endLifetimes } from './calls/end-lifetimes.ts'
import { forkSession, type ForkedSession } from './log/fork-session.ts'
import type { SessionMetrics } from './calls/call-metrics.ts'
import { sessionMetrics } from './calls/session-metrics.ts'
import type { Outcome } from './commands/outcome.ts'
import type { ContentHash } from '../kernel/content-hash.ts'
import type { VariableScope } from '../kernel/substitute-variables.ts'
import { asksAbout } from './calls/asks-about.ts'
import { approve, type ApproveOptions } from './calls/approve.ts'
import type { CommandOptions } from './open/command-options.ts'
import { policyOf, type PolicyOptions } from './open/policy-of.ts'
import { revokeApproval } from './calls/revoke-approval.ts'
import type { SessionParts } from './offer/session-parts.ts'
import { undefinedMode } from './open/undefined-mode.ts'
import { WorkspaceReader } from './workspace-reader.ts'

/**
 * What a workspace has of its session, beside skills and tools: its turns and mode, what people agree to,
 * other processes, and what became of calls.
 */
export class WorkspaceSession extends WorkspaceReader {
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

  /**
   * Say what happened so far, for a model that does not have all of it any more; a blank text, or
   * null, takes it away. Part of working memory; at most 8,000 characters.
   */
  setSummary(summary: string | null, options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'memory.summarise', summary }, options)
  }

  /** Take an intent, or say what came of it: what a `StateController` does. */
  recordIntent(command: IntentCommand): Promise<Outcome> {
    return this.#dispatch(command)
  }

  /**
   * Let the call a confirmation was asked for run once; `approve` itself runs nothing. What is
   * remembered holds for every call of the tool with the definition it has now: in this session, or
   * (`digest`) wherever the approval store is asked.
   *
   * Rejects with `APPROVALS_NOT_KEPT` without such a store, and with `APPROVAL_NOT_KEPT` when it fails.
   */
  approve(confirmation: string, options?: ApproveOptions): Promise<Outcome> {
    return approve(this.#parts, confirmation, options)
  }

  /**
   * Whether a call with these arguments would be asked about, were it made now: `asksFirst`, and the rules
   * that look at arguments. Writes nothing; checking the arguments runs the tool's own schema.
   */
  asksAbout(tool: string, input: unknown): Promise<boolean> {
    return asksAbout(this.#parts, tool, input)
  }

  deny(confirmation: string, options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'confirmation.deny', id: confirmation }, options)
  }

  /** Take back what was remembered of a tool, here and in the approval store. */
  revokeApproval(tool: string, options?: CommandOptions): Promise<Outcome> {
    return revokeApproval(this.#parts, tool, options)
  }

  /**
   * Take a tool in quarantine with the definition it has now; what was approved of it is asked about
   * anew. With `hash`, only while it is still the definition that was looked at.
   */
  acceptTool(
    tool: string,
    { hash, ...options }: CommandOptions & { readonly hash?: ContentHash } = {},
  ): Promise<Outcome> {
    const seen = hash === undefined ? {} : { hash }
    return this.#dispatch({ type: 'tool.accept', tool, ...seen }, options)
  }

  /**
   * Go on in another mode, with its limits; calls that were made count in it, too. One that nobody
   * defined has no limits, and a warning on record says so.
   */
  async setMode(mode: string, options?: CommandOptions): Promise<Outcome> {
    const { modes } = this.#parts
    const before = this.state.policy.mode
    const outcome = await this.#setPolicy({ mode, modes }, options)
    const warnings = outcome.ok && mode !== before ? undefinedMode(mode, modes) : []
    for (const warning of warnings) await this.#dispatch(warning, options)
    return outcome
  }

  /**
   * Put other rules in the place of those the session has; what is not given stays. They hold for the
   * next call, of this process and of every other. Rejects with `POLICY_INVALID`.
   */
  setPermissions(
    permissions: NonNullable<PolicyOptions['permissions']>,
    options?: CommandOptions,
  ): Promise<Outcome> {
    return this.#setPolicy({ permissions }, options)
  }

  /**
   * Take up what other processes append as it comes: the store changes, and listeners are told of each
   * append once. It runs no hooks. Resolves when all that is there has been taken up, to what ends it;
   * `close` does, too. A looking workspace (`readOnly`) that follows goes on with its session.
   *
   * Rejects with `LOG_NOT_FOLLOWED` when the log cannot tell of changes.
   */
  follow(): Promise<() => Promise<void>> {
    return this.#parts.following.start()
  }

  /**
   * Begin a session with the first entries of this one, up to and with `at`; all of them when absent.
   * This one stays as it is. Going back to an earlier moment is a fork at it, which is then opened: a
   * log is never cut. Rejects as `forkSession` does.
   */
  fork(at?: number, session?: string): Promise<ForkedSession> {
    const { log, clock } = this.#parts
    const request = { from: this.session, clock, ...(at !== undefined && { at }) }
    return forkSession(log, { ...request, ...(session !== undefined && { to: session }) })
  }

  /** What the log tells of a call; null for one that the session never made. */
  async call(id: string): Promise<CallReport | null> {
    return callReport(await this.entries(), id)
  }

  /**
   * Wait until a call has ended, whichever process runs it: what a background call came to is in its
   * report. Null for one that the session never made. Rejects with the signal's reason, and with
   * `WORKSPACE_CLOSED`.
   */
  awaitCall(
    id: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<CallReport | null> {
    return awaitCall(id, this.#parts, signal)
  }

  /** Handlers of this process that ended after their call was given up on; their results are dropped. */
  get lateResults(): number {
    return this.#parts.inFlight.late
  }

  /**
   * What goes wrong here without stopping anything: results that gave working memory nothing,
   * searches in vain, hooks that failed, calls that were refused, intents that came to nothing, and the
   * late results of this process. Read off the log.
   */
  async health(): Promise<SessionHealth & { readonly lateResults: number }> {
    return { ...sessionHealth(await this.entries()), lateResults: this.lateResults }
  }

  /**
   * What became of the calls of this session, whoever made them: how many, how long, how they failed,
   * by tool, skill and source. Read off the log, so every process tells the same.
   */
  async metrics(): Promise<SessionMetrics> {
    return sessionMetrics([await this.entries()])
  }

  /** Count from now on; the log keeps what was before. */
  resetMetrics(options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'metrics.reset' }, options)
  }

  #setPolicy(given: PolicyOptions, options?: CommandOptions): Promise<Outcome> {
    const command = ({ policy }: WorkspaceState) => ({
      type: 'policy.set' as const,
      policy: policyOf(given, policy),
    })
    return this.#dispatch(command, options)
  }

  #dispatch(command: CommandSource, { by = 'host' }: CommandOptions = {}): Promise<Outcome> {
    return this.#parts.dispatcher.dispatch(command, { by })
  }
}
