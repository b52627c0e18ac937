import type { Catalog } from '../catalog/create/catalog.ts'
import type { ToolComponent } from '../components/define-component.ts'
import { explainSkill } from '../engine/explain/explain-skill.ts'
import { explainTool } from '../engine/explain/explain-tool.ts'
import type { Explanation } from '../engine/explain/explanation.ts'
import { sessionHealth, type SessionHealth } from '../engine/explain/session-health.ts'
import type { Command, IntentCommand } from '../engine/model/command.ts'
import type { ToolSource } from '../engine/model/source-event.ts'
import type { Entry } from '../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../engine/model/workspace-state.ts'
import { activeSkills, openSkill, type SkillStatus } from '../engine/standing/assess-skill.ts'
import { assess } from '../engine/standing/assess.ts'
import { listSkills, type SkillListing } from '../engine/standing/list-skills.ts'
import { listTools, type ToolListing } from '../engine/standing/list-tools.ts'
import type { ToolStatus } from '../engine/standing/tool-status.ts'
import { isEmptyDifference, toolTable } from '../engine/standing/tool-table.ts'
import type { ContentHash } from '../kernel/content-hash.ts'
import type { JsonValue } from '../kernel/json-value.ts'
import type { VariableScope } from '../kernel/substitute-variables.ts'
import { removalEstimates, stepLedger } from '../render/prompt/ledger/prompt-ledger.ts'
import {
  type RenderOptions,
  renderSkillsSection,
  renderSkillToolsSection,
  renderToolSection,
} from '../render/prompt/sections/render-tool-section.ts'
import type { Agent } from '../skills/definition/define-agent.ts'
import type { Lifetime } from '../skills/definition/lifetime.ts'
import { SkillManager } from '../skills/skill-manager.ts'
import type { RunningCall } from '../tools/definition/tool-context.ts'
import type { Tool } from '../tools/definition/tool.ts'
import type { ToolResponse } from '../tools/response/tool-response.ts'
import { approve, type ApproveOptions, asksAbout, revokeApproval } from './calls/approve.ts'
import { awaitCall, callReport, type CallReport } from './calls/call-report.ts'
import { type CallOptions, nameOfTool } from './calls/call-request.ts'
import { dispatchDrained } from './calls/calls-in-flight.ts'
import { endLifetimes } from './calls/end-lifetimes.ts'
import { type SessionMetrics, sessionMetrics } from './calls/session-metrics.ts'
import type { CommandSource } from './commands/dispatcher.ts'
import type { CommandOptions, Outcome } from './commands/outcome.ts'
import type { ReadonlySessionStore } from './commands/session-store.ts'
import { notifyAll, type WorkspaceListener } from './commands/workspace-listener.ts'
import { type ForkedSession, forkSession } from './log/fork-session.ts'
import {
  beginStep,
  planStep,
  type StepPreview,
  type StepRequest,
  type WorkspaceStep,
} from './offer/begin-step.ts'
import { compact, type Compaction } from './offer/compact.ts'
import type { SessionParts } from './offer/session-parts.ts'
import {
  type PromptRequest,
  promptRequestFor,
  workspaceDocument,
  type WorkspaceLedger,
  WorkspacePrompt,
} from './offer/workspace-document.ts'
import { beginSession } from './open/begin-session.ts'
import { openParts } from './open/open-parts.ts'
import type { OpeningNotice } from './open/opening-notice.ts'
import {
  registerComponent,
  registeredComponent,
  registerTools,
  type RegistrationOptions,
} from './open/registrations.ts'
import { type PolicyOptions, sessionPolicy, undefinedModeWarning } from './open/session-policy.ts'
import type { WorkspaceOptions } from './open/workspace-options.ts'

/**
 * The reading half of a workspace: in any order, and it never writes. Synchronous, but for what asks the
 * log or a strategy.
 */
export class WorkspaceReader {
  readonly #parts: SessionParts
  readonly #variables: VariableScope | undefined
  #skillManager: SkillManager | undefined

  constructor(parts: SessionParts, variables: VariableScope | undefined) {
    this.#parts = parts
    this.#variables = variables
  }

  /** Made when it is asked for: most sessions are never asked. */
  get skillManager(): SkillManager {
    this.#skillManager ??= new SkillManager({
      skills: this.catalog.skills,
      toolsOf: (skill) => this.#toolsOf(skill),
      active: () => activeSkills(this.state),
    })
    return this.#skillManager
  }

  get session(): string {
    return this.#parts.session
  }

  get catalog(): Catalog {
    return this.#parts.surroundings.catalog
  }

  get agent(): Agent | null {
    return this.#parts.surroundings.agent
  }

  /** `{ state, pending }` in a zustand vanilla store, for views with a selector. */
  get store(): ReadonlySessionStore {
    return this.#parts.store
  }

  get state(): WorkspaceState {
    return this.store.getState().state
  }

  /** The name of the tokenizer all counts of this session come from. */
  get tokenizer(): string {
    return this.#parts.counter.name
  }

  isToolAvailable(tool: string): boolean {
    return assess(this.state, this.#parts.surroundings, tool).status === 'available'
  }

  /** Whether a person is asked before any call of an available tool runs, whatever its arguments. */
  asksFirst(tool: string): boolean {
    const standing = assess(this.state, this.#parts.surroundings, tool)
    return standing.kind === 'registered' && standing.row.asks
  }

  /** The tools that can be called now, one a name, under the names they go by. */
  getAvailableTools(): readonly Tool[] {
    return toolTable(this.state, this.#parts.surroundings).available
  }

  /** Where a registered tool comes from; null for one that nobody registers now. */
  getToolSource(tool: string): { readonly source: ToolSource; readonly owner: string } | null {
    const standing = assess(this.state, this.#parts.surroundings, tool)
    if (standing.kind !== 'registered') return null
    const { source, owner } = standing.row.owner
    return { source, owner }
  }

  /** Every tool the session knows of, with its standing. */
  tools(): readonly ToolListing[] {
    return listTools(this.state, this.#parts.surroundings)
  }

  /** Every skill the session knows of, with its standing. */
  skills(): readonly SkillListing[] {
    return listSkills(this.state, this.#parts.surroundings, this.store.getState().pending)
  }

  /** Why a tool can, or cannot, be called now. */
  explain(tool: string): Explanation<ToolStatus> {
    return explainTool(this.state, this.#parts.surroundings, tool)
  }

  /** Why a skill is, or is not, active. */
  explainSkill(skill: string): Explanation<SkillStatus> {
    return explainSkill(this.state, this.#parts.surroundings, skill, this.store.getState().pending)
  }

  /** What the model would read now, by the path that adapters send it. */
  prompt(request: PromptRequest = {}): WorkspacePrompt {
    const { surroundings, counter, exposure } = this.#parts
    const listed = promptRequestFor(exposure.strategy, request)
    const document = workspaceDocument(this.state, surroundings, counter, this.#variables, listed)
    return new WorkspacePrompt(document, request.format ?? 'markdown', counter)
  }

  /**
   * Tokens of the prompt by section, source, skill and tool, what the last request kept of the one
   * before, and what putting a skill away would free and lose.
   */
  ledger(request: PromptRequest = {}): WorkspaceLedger {
    const { surroundings, counter, exposure } = this.#parts
    const { ledger } = this.prompt(request)
    const { strategy, provider, why, prices } = exposure
    return {
      ...ledger,
      exposure: { strategy: strategy.name, provider: provider.name, why, prices },
      lastStep: stepLedger(this.state, surroundings, counter),
      removals: removalEstimates(this.state, surroundings, ledger),
    }
  }

  /**
   * What the next request would carry and cost if it were begun now: the first byte of it that is
   * not as before, and what that costs. Asks the strategy, and writes nothing.
   */
  async previewStep(request: StepRequest = {}): Promise<StepPreview> {
    const {
      exposed: _,
      sections: __,
      ...preview
    } = await planStep(this.state, this.#parts, this.#variables, request)
    return preview
  }

  /** The whole prompt in boxes, for people. */
  render(): string {
    return this.prompt({ format: 'text' }).text
  }

  /** The skills of the catalog, boxed, with the active ones marked. */
  renderSkillsSection(options?: RenderOptions): string {
    const active = new Set(activeSkills(this.state))
    const skills = [...this.catalog.skills.values()]
    return renderSkillsSection(
      skills.map((skill) => ({ ...skill, active: active.has(skill.name) })),
      options,
    )
  }

  /** The available tools, whoever brought them, boxed. */
  renderToolSection(options?: RenderOptions): string {
    return renderToolSection(this.getAvailableTools(), options)
  }

  /** A `SKILL TOOLS` box for each active skill that brings tools; null when none does. */
  renderSkillToolsSection(options?: RenderOptions): string | null {
    const boxes = this.skillManager
      .getActiveSkills()
      .flatMap(
        ({ name, displayName }) =>
          renderSkillToolsSection(displayName, this.#toolsOf(name), options) ?? [],
      )
    return boxes.length === 0 ? null : boxes.join('')
  }

  /** The log's entries, from `from` on. */
  entries(from = 0): Promise<readonly Entry[]> {
    return this.#parts.log.read(this.session, from)
  }

  /** What an active skill has registered, under the names it goes by; else what it would bring. */
  #toolsOf(skill: string): readonly Tool[] {
    const { surroundings } = this.#parts
    const open = openSkill(this.state, skill)
    if (!open) return surroundings.catalog.skillTools.get(skill)?.map(({ tool }) => tool) ?? []
    const { byAddress } = toolTable(this.state, surroundings)
    return open.claims.flatMap(({ name }) => byAddress.get(`skill:${skill}/${name}`)?.tool ?? [])
  }
}

/**
 * What a workspace has of its session, beside skills and tools: its turns and mode, what people agree to,
 * other processes, and what became of calls.
 */
class WorkspaceSession extends WorkspaceReader {
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
    const warnings = outcome.ok && mode !== before ? undefinedModeWarning(mode, modes) : []
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
      policy: sessionPolicy(given, policy),
    })
    return this.#dispatch(command, options)
  }

  #dispatch(command: CommandSource, { by = 'host' }: CommandOptions = {}): Promise<Outcome> {
    return this.#parts.dispatcher.dispatch(command, { by })
  }
}

/**
 * A catalog and a session together: the tools an agent's model can see and call, and why.
 *
 * What changes the session is asynchronous and resolves when the log has it; what reads is
 * synchronous and never writes. Everything here asks the engine; this class holds no rule.
 */
export class VirtualWorkspace<Services = unknown> extends WorkspaceSession {
  /** What happened while opening that a host should know: refused initial skills, changed ones. */
  readonly notices: readonly OpeningNotice[]
  readonly #parts: SessionParts
  readonly #options: WorkspaceOptions<Services>
  readonly #listeners: Set<WorkspaceListener>
  #onToolAvailabilityChange: (() => void) | undefined

  protected constructor(
    options: WorkspaceOptions<Services>,
    parts: SessionParts,
    notices: readonly OpeningNotice[],
    listeners: Set<WorkspaceListener>,
  ) {
    super(parts, options.variables)
    this.#options = options
    this.#parts = parts
    this.#listeners = listeners
    this.notices = notices
    listeners.add((outcome) => {
      const callback = this.#onToolAvailabilityChange
      return callback && outcome.ok && !isEmptyDifference(outcome.difference)
        ? callback()
        : undefined
    })
  }

  /**
   * Open a session, new or known to the log; resolves when its initial skills are active.
   *
   * Rejects with `AGENT_UNKNOWN`, with `SESSION_MISMATCH` when the session was opened for
   * another agent, principal or tokenizer, and with the errors of the log.
   */
  static async open<Services = unknown>(
    options: WorkspaceOptions<Services>,
  ): Promise<VirtualWorkspace<Services>> {
    const listeners = new Set<WorkspaceListener>()
    const parts = await openParts(options, notifyAll(listeners))
    const notices = await beginSession(options, parts)
    if (options.follow === true) await parts.following.start()
    return new VirtualWorkspace(options, parts, notices, listeners)
  }

  /**
   * Activate a skill by id, alias or display name, with what it requires. All or nothing: when
   * a hook fails, or a name is taken, everything is as before and the outcome says why.
   */
  activateSkill(
    skill: string,
    options: CommandOptions & { readonly lifetime?: Lifetime; readonly replace?: boolean } = {},
  ): Promise<Outcome> {
    const { by = 'host', ...rest } = options
    return dispatchDrained({ type: 'skill.activate', skill, ...rest }, { by }, this.#parts)
  }

  /**
   * Put a skill away; without a name the only active one. Calls of it that are running may end
   * first, for as long as `limits.drainMs` says; then they are aborted.
   */
  deactivateSkill(
    skill?: string,
    options: CommandOptions & { readonly cascade?: boolean } = {},
  ): Promise<Outcome> {
    const { by = 'host', ...rest } = options
    const named = skill === undefined ? {} : { skill }
    return dispatchDrained({ type: 'skill.deactivate', ...named, ...rest }, { by }, this.#parts)
  }

  /** Take the definition of an active skill that changed as the catalog has it now. */
  acceptSkill(skill: string, options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'skill.accept', skill }, options)
  }

  /** Switch a tool off, or on again, whoever owns it. */
  setToolEnabled(tool: string, enabled: boolean, options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'tool.switch', tool, enabled }, options)
  }

  /** Register a component with its tools and first state, at any time. */
  registerComponent(component: ToolComponent, options?: RegistrationOptions): Promise<Outcome> {
    return registerComponent(this.#parts, component, options)
  }

  /** Take a component away, with its tools and its state. */
  unregisterComponent(key: string, options?: CommandOptions): Promise<Outcome> {
    const command = { type: 'source.unregister', source: 'component', owner: key } as const
    return this.#dispatch(command, options)
  }

  /** Register a tool that is always there, at any time; several versions of a name may be. */
  registerTool(tool: Tool, options?: RegistrationOptions): Promise<Outcome> {
    return registerTools(this.#parts, { source: 'global', owner: 'global', tools: [tool] }, options)
  }

  /** Take a global tool away, in all its versions. */
  unregisterTool(tool: string, options?: CommandOptions): Promise<Outcome> {
    const command = { type: 'source.unregister', source: 'global', owner: 'global', tool } as const
    return this.#dispatch(command, options)
  }

  /** Begin one request to the model: logs what it is shown, and returns what to send. */
  beginStep(request: StepRequest = {}): Promise<WorkspaceStep> {
    return beginStep(this.#parts, this.#options.variables, request)
  }

  /**
   * The host summarises the conversation: what of the workspace has to survive that, to be put in
   * once after the summary. The next step knows the model has it, and sends what changes then.
   * Rejects inside a hook.
   */
  compact(request: PromptRequest = {}): Promise<Compaction> {
    return compact(this.#parts, this.#options.variables, request)
  }

  /**
   * Call a tool. Resolves with an envelope whatever happens: refused, failed or done.
   *
   * A tool value gives the types of its input and output; a name (or `owner/name`) does not. One in
   * the background answers at once with its id; `awaitCall` tells what it came to.
   */
  callTool<I>(
    tool: Tool<I, unknown, Services>,
    input: I,
    options: CallOptions & { readonly background: true },
  ): Promise<ToolResponse<RunningCall>>
  callTool<I, O>(
    tool: Tool<I, O, Services>,
    input: I,
    options?: CallOptions,
  ): Promise<ToolResponse<O>>
  callTool(tool: string, input: unknown, options?: CallOptions): Promise<ToolResponse>
  callTool(
    tool: string | Tool<never, unknown, Services>,
    input: unknown,
    { caller = 'host', ...options }: CallOptions = {},
  ): Promise<ToolResponse> {
    const name = nameOfTool(tool, this.state, this.#parts.surroundings)
    return this.#parts.pipeline.call({ tool: name, input, caller, ...options })
  }

  /** A component's state in the form it leaves with. Throws `COMPONENT_UNKNOWN`. */
  exportComponent(key: string): JsonValue {
    const { component, state } = registeredComponent(key, this.state, this.#parts.components)
    return component.exportState(state)
  }

  /** Give a component the state of an export; rejects with what `restoreState` throws. */
  async restoreComponent(
    key: string,
    exported: JsonValue,
    options?: CommandOptions,
  ): Promise<Outcome> {
    const { component } = registeredComponent(key, this.state, this.#parts.components)
    const state = component.restoreState(exported)
    return this.#dispatch({ type: 'component.update', component: key, state }, options)
  }

  /** Be told of each command once, with its outcome; returns what ends it. */
  subscribe(listener: WorkspaceListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The one callback for a change of the available tools; a new one replaces it. */
  setOnToolAvailabilityChange(callback: (() => void) | undefined): void {
    this.#onToolAvailabilityChange = callback
  }

  /** The session as it was after an entry: what reads, and nothing else. */
  async look(at: number): Promise<WorkspaceReader> {
    const { log, session, counter } = this.#parts
    const options = { ...this.#options, log, session, tokenCounter: counter, at }
    return new WorkspaceReader(await openParts(options, () => undefined), options.variables)
  }

  /** Abort running calls, let queued commands end, and take no more; follow the session no longer. */
  async close(): Promise<void> {
    await this.#parts.inFlight.close()
    await this.#parts.following.close()
    await this.#parts.dispatcher.close()
    this.#listeners.clear()
  }

  #dispatch(command: Command, { by = 'host' }: CommandOptions = {}): Promise<Outcome> {
    return this.#parts.dispatcher.dispatch(command, { by })
  }
}

/** What became of the calls of several sessions, as if they were one: for all users of a host. */
export async function collectMetrics(
  workspaces: Iterable<Pick<WorkspaceReader, 'entries'>>,
): Promise<SessionMetrics> {
  return sessionMetrics(await Promise.all([...workspaces].map((one) => one.entries())))
}
