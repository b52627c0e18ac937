import type { ToolComponent } from '../components/tool-component.ts'
import type { Command } from '../engine/model/command.ts'
import { isEmpty } from '../engine/standing/tool-difference.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { RunningCall } from '../tools/definition/running-call.ts'
import type { ToolResponse } from '../tools/response/tool-response.ts'
import type { Tool } from '../tools/definition/tool.ts'
import { dispatchDrained } from './calls/dispatch-drained.ts'
import { nameOfTool } from './calls/name-of-tool.ts'
import type { Outcome } from './commands/outcome.ts'
import type { Lifetime } from '../skills/definition/skill.ts'
import { beginSession } from './open/begin-session.ts'
import { beginStep } from './offer/begin-step.ts'
import type { CallOptions, CommandOptions, RegistrationOptions } from './open/command-options.ts'
import { compact } from './offer/compact.ts'
import type { Compaction } from './offer/compaction.ts'
import type { OpeningNotice } from './open/opening-notice.ts'
import type { PromptRequest } from './offer/prompt-request.ts'
import { registerComponent } from './open/register-component.ts'
import { registerTools } from './open/register-tools.ts'
import { registeredComponent } from './open/registered-component.ts'
import { openParts } from './open/open-parts.ts'
import type { SessionParts } from './offer/session-parts.ts'
import type { StepRequest } from './offer/step-request.ts'
import { tellAll } from './commands/tell-all.ts'
import type { WorkspaceListener } from './commands/workspace-listener.ts'
import type { WorkspaceOptions } from './open/workspace-options.ts'
import { WorkspaceReader } from './workspace-reader.ts'
import { WorkspaceSession } from './workspace-session.ts'
import type { WorkspaceStep } from './offer/workspace-step.ts'

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
      return callback && outcome.ok && !isEmpty(outcome.difference) ? callback() : undefined
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
    const parts = await openParts(options, tellAll(listeners))
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
