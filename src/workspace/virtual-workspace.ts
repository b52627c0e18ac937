import type { Catalog } from '../catalog/create/catalog.ts'
import type { ToolComponent } from '../components/define-component.ts'
import { explainSkill } from '../engine/explain/explain-skill.ts'
import type { NameHistory } from '../engine/explain/name-history.ts'
import { readNameHistory } from './calls/call-report.ts'
import { explainTool } from '../engine/explain/explain-tool.ts'
import type { Verdict } from '../engine/explain/verdict.ts'
import type { NotedFacts } from '../engine/model/fact-event.ts'
import type { ToolSource } from '../engine/model/source-event.ts'
import type { Entry } from '../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../engine/model/workspace-state.ts'
import type { SkillStatus } from '../engine/standing/assess-skill.ts'
import { assess } from '../engine/standing/assess.ts'
import { listSkills, type SkillListing } from '../engine/standing/list-skills.ts'
import { listTools, type ToolListing } from '../engine/standing/list-tools.ts'
import type { ToolStatus } from '../engine/standing/tool-status.ts'
import { checkOptions, checkedText, type OptionTable } from '../kernel/check-options.ts'
import { toolTable } from '../engine/standing/tool-table.ts'
import type { ContentHash } from '../kernel/content-hash.ts'
import type { JsonValue } from '../kernel/json-value.ts'
import {
  RENDER_OPTIONS,
  type RenderOptions,
  renderToolSection,
} from '../render/prompt/sections/render-tool-section.ts'
import type { Agent } from '../skills/definition/define-agent.ts'
import type { Skill } from '../skills/definition/skill.ts'
import type { Lifetime } from '../skills/definition/lifetime.ts'
import { SkillManager } from '../skills/skill-manager.ts'
import type { RunningCall } from '../tools/definition/tool-context.ts'
import type { ToolServer } from '../tools/definition/tool-server.ts'
import type { Tool } from '../tools/definition/tool.ts'
import type { ToolResponse } from '../tools/response/tool-response.ts'
import { approve, type ApproveOptions, deny, type DenyOptions } from './calls/approve.ts'
import { CallDesk, checkedCaller } from './calls/call-desk.ts'
import { CALL_OPTIONS, type CallOptions, nameOfTool } from './calls/request/call-request.ts'
import { beginTurn } from './calls/end-lifetimes.ts'
import type { CommandSource } from './commands/dispatcher.ts'
import {
  checkCommand,
  type CommandOptions,
  notifyAll,
  type Outcome,
  type WorkspaceListener,
  whenToolsChange,
} from './commands/outcome.ts'
import { type ReadonlySessionStore, readonlyStore } from './commands/session-store.ts'
import { defineDeprecatedMembers, type DeprecatedMembers } from './deprecated-members.ts'
import { createApprovals, type WorkspaceApprovals } from './groups/workspace-approvals.ts'
import { createCalls, type WorkspaceCalls } from './groups/workspace-calls.ts'
import { createFigures, type WorkspaceFigures } from './groups/workspace-figures.ts'
import { createSessions, type WorkspaceSessions } from './groups/workspace-sessions.ts'
import { beginStep } from './offer/begin-step.ts'
import type { StepRequest, WorkspaceStep } from './offer/workspace-step.ts'
import { compact, type Compaction } from './offer/compact.ts'
import { type PreviewRequest, previewStep, type StepPreview } from './offer/preview-step.ts'
import { type SessionParts, skillSources } from './offer/session-parts.ts'
import { noteFacts, settleConditions } from './offer/settle-conditions.ts'
import {
  PROMPT_OPTIONS,
  type PromptRequest,
  renderSkillsBox,
  renderSkillToolsBoxes,
  workspaceDocument,
  WorkspacePrompt,
} from './offer/workspace-document.ts'
import { beginOrClose, closeSession } from './open/open-child.ts'
import { openParts } from './open/open-parts.ts'
import {
  acceptSkill,
  registerSkill,
  type RegisterSkillOptions,
  refreshCatalog,
  takeCatalog,
  type TakeCatalogOptions,
  unregisterSkill,
} from './open/take-catalog.ts'
import type { OpeningNotice } from './open/opening-notice.ts'
import {
  registerComponent,
  registeredComponent,
  registerTools,
  type RegistrationOptions,
  restoreComponent,
  syncTools,
  type Unregistration,
} from './open/registrations.ts'
import type { AttachOptions } from './servers/attached-servers.ts'
import { changedPolicy } from './open/session-policy.ts'
import type { PolicyOptions, WorkspaceOptions } from './open/workspace-options.ts'

/**
 * The part of a workspace that only reads, as `sessions.look` returns it. Synchronous, except for what asks the log
 * or an exposure strategy.
 */
export interface WorkspaceReader extends Pick<
  VirtualWorkspace,
  | 'session'
  | 'catalog'
  | 'agent'
  | 'store'
  | 'state'
  | 'skillManager'
  | 'skills'
  | 'tools'
  | 'explain'
  | 'explainSkill'
  | 'history'
  | 'isToolAvailable'
  | 'getAvailableTools'
  | 'getToolSource'
  | 'prompt'
  | 'previewStep'
  | 'render'
  | 'renderSkillsSection'
  | 'renderToolSection'
  | 'renderSkillToolsSection'
  | 'entries'
  | 'tokenizer'
  | 'asksFirst'
  | 'ledger'
> {
  readonly figures: Pick<WorkspaceFigures, 'tokenizer' | 'ledger'>
  readonly approvals: Pick<WorkspaceApprovals, 'asksFirst'>
}

/** A session in its state after one entry, as `sessions.look` returns it. */
export interface WorkspaceLook extends WorkspaceReader {
  /**
   * Moves to the state after more entries. To look at many moments, call it for each: the session is then
   * folded once.
   *
   * @param entries the entries that directly follow the current one
   */
  forward(entries: readonly Entry[]): Promise<void>
}

// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- `defineDeprecatedMembers` defines them.
export interface VirtualWorkspace<Services = unknown> extends DeprecatedMembers<
  VirtualWorkspace<Services>,
  WorkspaceLook
> {}

/**
 * A catalog and a session together: decides which tools an agent's model can see and call, and explains why.
 *
 * Methods that change the session are asynchronous and resolve when the log has the change. Methods that
 * read are synchronous and never write. Every rule is in the engine; this class has none.
 */
export class VirtualWorkspace<Services = unknown> {
  static {
    defineDeprecatedMembers(this.prototype)
  }

  /** Events of the opening that a host should know, such as an initial skill that was refused. */
  readonly notices: readonly OpeningNotice[]
  readonly #options: WorkspaceOptions<Services>
  readonly #parts: SessionParts
  readonly #desk: CallDesk
  readonly #listeners: Set<WorkspaceListener>
  #store: ReadonlySessionStore | undefined
  #stopTelling: (() => void) | undefined
  #skillManager: SkillManager<VirtualWorkspace> | undefined
  #figures: WorkspaceFigures | undefined
  #sessions: WorkspaceSessions<VirtualWorkspace<Services>, WorkspaceLook> | undefined
  #calls: WorkspaceCalls | undefined
  #approvals: WorkspaceApprovals | undefined

  // Opening

  /**
   * Opens a session, new or known to the log. Resolves when its initial skills are active.
   *
   * Rejects with `AGENT_UNKNOWN`, with `SESSION_MISMATCH` when the session was opened for
   * another agent, principal or tokenizer, with `LOG_NOT_FOLLOWED` when it has to follow a log that cannot
   * report changes, with `TIME_LIMIT` when the log does not answer for 60 seconds, and with the errors of the log.
   */
  static async open<Services = unknown>(
    options: WorkspaceOptions<Services>,
  ): Promise<VirtualWorkspace<Services>> {
    const listeners = new Set<WorkspaceListener>()
    const parts = await openParts(options, notifyAll(listeners))
    const notices = await beginOrClose(options, parts)
    return new VirtualWorkspace(options, parts, notices, listeners)
  }

  protected constructor(
    options: WorkspaceOptions<Services>,
    parts: SessionParts,
    notices: readonly OpeningNotice[],
    listeners: Set<WorkspaceListener>,
  ) {
    this.#options = options
    this.#parts = parts
    this.#desk = new CallDesk(parts)
    this.notices = notices
    this.#listeners = listeners
    listeners.add(() => parts.current.mayBeOutdated && refreshCatalog(options, parts))
  }

  // Skills

  /**
   * Activates a skill by id, alias or display name, and the skills it requires. All or nothing: when
   * a hook fails, or a tool name is taken, nothing changes and the outcome says why.
   *
   * @param options `arguments`: the text for `$ARGUMENTS`, `$ARGUMENTS[0]` and `$1` in its instructions
   */
  activateSkill(
    skill: string,
    options?: CommandOptions & {
      readonly lifetime?: Lifetime
      readonly replace?: boolean
      readonly arguments?: string
    },
  ): Promise<Outcome> {
    const own = { lifetime: true, replace: 'switch', arguments: 'text' } as const
    return this.#dispatch({ type: 'skill.activate', skill }, options, own, true)
  }

  /**
   * Deactivates a skill; without a name, the only active one. Running calls of its tools have
   * `limits.drainMs` to end before they are aborted.
   */
  deactivateSkill(
    skill?: string,
    options?: CommandOptions & { readonly cascade?: boolean },
  ): Promise<Outcome> {
    const command = { type: 'skill.deactivate', ...(skill !== undefined && { skill }) } as const
    return this.#dispatch(command, options, { cascade: 'switch' }, true)
  }

  /** Accepts the catalog's new definition of an active skill that changed. */
  acceptSkill(skill: string, options?: CommandOptions): Promise<Outcome> {
    return acceptSkill(this.#parts, skill, options)
  }

  /**
   * Replaces the catalog of the session, for example after a change of files. Active skills keep the definition
   * that they were activated with until the new one is accepted (`acceptSkill`) or the skill is deactivated.
   * Returns a notice about each of them (`skill-kept`), and about registrations that were refused. Rejects with
   * `READ_ONLY`, `OPTIONS_INVALID`, and with `POLICY_INVALID` for wrong permissions.
   *
   * @param options `permissions` replaces the lists of rules that it has
   */
  takeCatalog(catalog: Catalog, options?: TakeCatalogOptions): Promise<readonly OpeningNotice[]> {
    return takeCatalog(this.#options, this.#parts, catalog, options)
  }

  /**
   * Adds a skill to this session, such as one that was found at run time, or replaces the one that was added under its
   * name. The log has its definition: every process that opens the session has the skill, and its tools have handlers
   * where the same skill is registered again. Not trusted unless the host says so. Returns notices as `takeCatalog`
   * does, and one when it is refused (`skill-name-taken`).
   */
  registerSkill(skill: Skill, options?: RegisterSkillOptions): Promise<readonly OpeningNotice[]> {
    return registerSkill(this.#options, this.#parts, skill, options)
  }

  /** Removes a skill that was added to this session. While it is active, it keeps its definition. */
  unregisterSkill(skill: string, options?: CommandOptions): Promise<Outcome> {
    return unregisterSkill(this.#options, this.#parts, skill, options)
  }

  // Tools and components

  /** Switches a tool off or on. Any owner's tool can be switched. */
  setToolEnabled(tool: string, enabled: boolean, options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'tool.switch', tool, enabled }, options)
  }

  /** Registers a global tool. One name may have several versions. */
  registerTool(tool: Tool, options?: RegistrationOptions): Promise<Outcome> {
    return registerTools(this.#parts, { source: 'global', owner: 'global', tools: [tool] }, options)
  }

  /** Removes a global tool, with all its versions. */
  unregisterTool(tool: string, options?: CommandOptions): Promise<Outcome> {
    return this.#unregister({ source: 'global', owner: 'global', tool }, options)
  }

  /**
   * Accepts the new definition of a tool in quarantine. Approvals of the old definition no longer count.
   * With `hash`, accepts it only while its definition still has that hash.
   */
  acceptTool(
    tool: string,
    options?: CommandOptions & { readonly hash?: ContentHash },
  ): Promise<Outcome> {
    return this.#dispatch({ type: 'tool.accept', tool }, options, { hash: true })
  }

  /** Registers a component with its tools and its initial state. */
  registerComponent(component: ToolComponent, options?: RegistrationOptions): Promise<Outcome> {
    return registerComponent(this.#parts, component, options)
  }

  /** Removes a component, with its tools and its state. */
  unregisterComponent(key: string, options?: CommandOptions): Promise<Outcome> {
    return this.#unregister({ source: 'component', owner: key }, options)
  }

  /**
   * Replaces all tools of a server by these, in one entry, and binds their handlers. The first call attaches the
   * server. A tool with another definition than the one that was agreed to is in quarantine until it is accepted;
   * calls of a tool that the server no longer has are refused (`gone`). A list without a difference leaves no entry.
   */
  syncTools(
    server: string,
    tools: readonly Tool[],
    options?: Omit<RegistrationOptions, 'replace'>,
  ): Promise<Outcome> {
    return syncTools(this.#parts, server, tools, options)
  }

  /**
   * Attaches a server: registers all its tools in one entry, and keeps them as the server has them. A server with a
   * stored listing is connected at the first call of one of them. Refused with `server-failed`, which says at which
   * stage, and then nothing changes.
   */
  attach(server: ToolServer, options?: AttachOptions): Promise<Outcome> {
    return this.#parts.servers.attach(server, options)
  }

  /** Removes a server with all its tools, and ends its connection. Calls of them are refused (`gone`). */
  detach(server: string, options?: CommandOptions): Promise<Outcome> {
    return this.#parts.servers.detach(server, options)
  }

  /** Returns a component's state in its exported form. Throws `COMPONENT_UNKNOWN`. */
  exportComponent(key: string): JsonValue {
    const { component, state } = registeredComponent(key, this.#state, this.#parts.components)
    return component.exportState(state)
  }

  /** Restores a component from an exported state. Rejects with what `restoreState` throws. */
  restoreComponent(key: string, exported: JsonValue, options?: CommandOptions): Promise<Outcome> {
    return restoreComponent(this.#parts, key, exported, options)
  }

  // Calls

  /**
   * Calls a tool. Always resolves with an envelope: refused, failed or successful.
   *
   * A tool value types the input and the output; a name (or `owner/name`) does not. A call in the
   * background answers at once with its id; `calls.waitFor` returns its result.
   */
  callTool<I>(
    tool: Tool<I, unknown, Services>,
    input: I,
    options: CallOptions<Services> & { readonly background: true },
  ): Promise<ToolResponse<RunningCall>>
  callTool<I, O>(
    tool: Tool<I, O, Services>,
    input: I,
    options?: CallOptions<Services>,
  ): Promise<ToolResponse<O>>
  callTool(tool: string, input: unknown, options?: CallOptions<Services>): Promise<ToolResponse>
  async callTool(
    tool: string | Tool<never, unknown, Services>,
    input: unknown,
    options: CallOptions<Services> = {},
  ): Promise<ToolResponse> {
    checkOptions(options, CALL_OPTIONS)
    const name = nameOfTool(tool, this.#state, this.#parts.context)
    return this.#desk.call({ caller: 'host', ...options, tool: name, input })
  }

  // Steps and prompt

  /**
   * Begins a turn, for a new message of the user. Resets the budgets of a turn, and removes skills and
   * found tools whose lifetime is over. Each deactivation is a command of its own.
   *
   * @param options `services` replace those of the workspace until the next turn begins. Never logged
   */
  beginTurn(options?: CommandOptions & { readonly services?: Services }): Promise<Outcome> {
    return beginTurn(this.#parts, options)
  }

  /**
   * Ends the turn, when the answer to the user's message is complete. Intents for after the turn are then
   * due. A turn that is not ended ends when the next one begins.
   */
  endTurn(options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'turn.end' }, options)
  }

  /** Begins one request to the model: logs what it shows the model, and returns what to send. */
  beginStep(request: StepRequest = {}): Promise<WorkspaceStep> {
    return beginStep(this.#parts, request)
  }

  /**
   * Returns what the next request would carry and cost: the first byte that differs from the request
   * before, and the cost of that difference. Asks the strategy, and writes nothing. With `after`, another
   * preview, the request before is that one.
   */
  previewStep(request: PreviewRequest = {}): Promise<StepPreview> {
    return previewStep(this.#parts, request)
  }

  /** Returns what the model would read now, by the path that adapters use. */
  prompt(request: PromptRequest = {}): WorkspacePrompt {
    checkOptions(request, PROMPT_OPTIONS)
    const document = workspaceDocument(this.#state, this.#parts, request)
    return new WorkspacePrompt(document, request.format ?? 'markdown', this.#parts.counter)
  }

  /** Returns the complete prompt as boxed text, for people. */
  render(): string {
    return this.prompt({ format: 'text' }).text
  }

  /** Returns the skills of the catalog as boxed text, with the active ones marked; null when there is none. */
  renderSkillsSection(options: RenderOptions = {}): string | null {
    checkOptions(options, RENDER_OPTIONS)
    return renderSkillsBox(this.#parts, options)
  }

  /** Returns the available tools of all owners as boxed text; null when there is none. */
  renderToolSection(options: RenderOptions = {}): string | null {
    checkOptions(options, RENDER_OPTIONS)
    return renderToolSection(this.getAvailableTools(), options)
  }

  /** Returns a `SKILL TOOLS` box for each active skill with available tools; null when there is none. */
  renderSkillToolsSection(options?: RenderOptions): string | null {
    return renderSkillToolsBoxes(this.#parts, options)
  }

  /**
   * Sets the summary of the conversation so far, for a model that no longer has all of it. A blank text or
   * null removes it. Part of working memory; at most 8,000 characters.
   */
  setSummary(summary: string | null, options?: CommandOptions): Promise<Outcome> {
    return this.#dispatch({ type: 'memory.summarise', summary }, options)
  }

  /**
   * Returns what must survive when the host summarises the conversation: the host adds it once, after the
   * summary. The next step assumes that the model has it, and sends only what changes from then on.
   * Rejects inside a hook.
   */
  compact(request: PromptRequest = {}): Promise<Compaction> {
    return compact(this.#parts, request)
  }

  /**
   * Notes facts that conditions of skills depend on (`paths` and `when`): files that were used, or an event that holds
   * or no longer holds. Skills whose conditions hold from now on are activated, and those whose conditions have ended are
   * deactivated, before it resolves. What no condition depends on leaves no entry.
   */
  note(facts: NotedFacts, options?: CommandOptions): Promise<Outcome> {
    return noteFacts(this.#parts, facts, options)
  }

  // Consent

  /**
   * Approves a confirmation, so that its call may run once; `approve` itself runs nothing. With `remember`,
   * the approval holds for every call of the tool while its definition is the same: in this session, or
   * (`digest`) wherever the approval store is used. With `input`, the call runs with those arguments instead.
   *
   * Rejects with `ANSWER_INVALID` for arguments that do not fit the schema.
   * Rejects with `APPROVALS_NOT_KEPT` without such a store, and with `APPROVAL_NOT_KEPT` when it fails.
   */
  approve(confirmation: string, options?: ApproveOptions): Promise<Outcome> {
    return approve(this.#parts, confirmation, options)
  }

  /**
   * Denies a confirmation. The same call is refused for the rest of the turn, with the words of the person as the
   * `reason`.
   */
  deny(confirmation: string, options?: DenyOptions): Promise<Outcome> {
    return deny(this.#parts, confirmation, options)
  }

  // Policy

  /** Changes the mode and its limits; calls made so far count in it, too. Rejects with `MODE_UNKNOWN`. */
  async setMode(mode: string, options?: CommandOptions): Promise<Outcome> {
    const given = { mode: checkedText(mode, 'mode'), modes: this.#parts.modes }
    const outcome = await this.#setPolicy(given, options)
    if (outcome.ok) await settleConditions(this.#parts)
    return outcome
  }

  /**
   * Replaces the permission rules of the session; a list that is not given stays. They hold from the next
   * call on, in every process. Rejects with `POLICY_INVALID`, and with `POLICY_LOOSENED` when a process that
   * attached to the session would loosen them.
   */
  setPermissions(
    permissions: NonNullable<PolicyOptions['permissions']>,
    options?: CommandOptions,
  ): Promise<Outcome> {
    return this.#setPolicy({ permissions }, options)
  }

  // Groups, created on first use

  /** Figures about the session: its calls, its problems, and the tokens of its prompt. */
  get figures(): WorkspaceFigures {
    return (this.#figures ??= createFigures(this.#parts, this))
  }

  /** Ways to other sessions: to children, forks and earlier states, and to what other processes append. */
  get sessions(): WorkspaceSessions<VirtualWorkspace<Services>, WorkspaceLook> {
    return (this.#sessions ??= createSessions(
      this.#options,
      this.#parts,
      (...given) => new VirtualWorkspace<Services>(...given),
    ))
  }

  /** The calls of the session: their reports, what runs around them, and what they ask of the host. */
  get calls(): WorkspaceCalls {
    return (this.#calls ??= createCalls(this.#parts, this.#desk))
  }

  /** The approvals of the session: which calls need one, and which are remembered. */
  get approvals(): WorkspaceApprovals {
    return (this.#approvals ??= createApprovals(this.#parts, this.#desk))
  }

  // Reading

  get session(): string {
    return this.#parts.session
  }

  get catalog(): Catalog {
    return this.#parts.context.catalog
  }

  get agent(): Agent | null {
    return this.#parts.context.agent
  }

  /** `{ state, pending }` in the reading half of a zustand vanilla store, for views with a selector. Frozen. */
  get store(): ReadonlySessionStore {
    return (this.#store ??= readonlyStore(this.#parts.store))
  }

  /** The state of the session, frozen. */
  get state(): WorkspaceState {
    return this.store.getState().state
  }

  /** Created on first use: most sessions never need it. */
  get skillManager(): SkillManager<VirtualWorkspace> {
    const read = skillSources(this.#parts)
    return (this.#skillManager ??= new SkillManager<VirtualWorkspace>({ commands: this, ...read }))
  }

  /** Returns every skill the session knows, with its status. */
  skills(): readonly SkillListing[] {
    return listSkills(this.#state, this.#parts.context, this.#parts.store.getState().pending)
  }

  /** Returns every tool the session knows, with its status. */
  tools(): readonly ToolListing[] {
    return listTools(this.#state, this.#parts.context)
  }

  /**
   * Explains why a tool can, or cannot, be called now, and what is still open about a call.
   *
   * @param options `caller`, whose calls are explained: `model` when absent
   */
  explain(tool: string, options?: Pick<CallOptions, 'caller'>): Verdict<ToolStatus> {
    const name = checkedText(tool, 'tool')
    return explainTool(this.#state, this.#parts.context, name, checkedCaller(options))
  }

  /**
   * Explains why a skill is, or is not, active, and what would become of its activation.
   *
   * @param options `caller`, who would activate it: `model` when absent
   */
  explainSkill(skill: string, options?: Pick<CallOptions, 'caller'>): Verdict<SkillStatus> {
    const { state, pending } = this.#parts.store.getState()
    const name = checkedText(skill, 'skill')
    return explainSkill(state, this.#parts.context, name, pending, checkedCaller(options))
  }

  /**
   * Reads the outcome of a tool or a skill from the log: which requests showed it to the model, at what place and with
   * which description, and each call, activation and refusal. A name that nothing has has no history.
   *
   * @param name of a tool, else of a skill, as for `explain` and `explainSkill`
   */
  async history(name: string): Promise<NameHistory> {
    const { name: tool, status, owner, sentAs = tool } = this.explain(name)
    if (status !== 'unknown' || owner !== null) {
      return readNameHistory('tool', [tool, sentAs], this.#parts)
    }
    const { name: skill } = this.explainSkill(name)
    const { displayName = skill } = this.catalog.skills.get(skill) ?? {}
    return readNameHistory('skill', [skill, displayName], this.#parts)
  }

  isToolAvailable(tool: string): boolean {
    const { status } = assess(this.#state, this.#parts.context, checkedText(tool, 'tool'))
    return status === 'available'
  }

  /** Returns the tools that can be called now, one per name, under their names in this session. */
  getAvailableTools(): readonly Tool[] {
    return toolTable(this.#state, this.#parts.context).available
  }

  /** Returns where a registered tool comes from; null for a tool that is not registered now. */
  getToolSource(tool: string): { readonly source: ToolSource; readonly owner: string } | null {
    const assessment = assess(this.#state, this.#parts.context, checkedText(tool, 'tool'))
    if (assessment.kind !== 'registered') return null
    const { source, owner } = assessment.row.owner
    return { source, owner }
  }

  /** Reads the log's entries from `from` on. */
  entries(from = 0): Promise<readonly Entry[]> {
    return this.#parts.log.read(this.session, from)
  }

  // Following and closing

  /** Subscribes to the outcome of each command; returns the function that unsubscribes. */
  subscribe(listener: WorkspaceListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sets the one callback for changes of the available tools; a new one replaces it. */
  setOnToolAvailabilityChange(callback: (() => void) | undefined): void {
    this.#stopTelling?.()
    this.#stopTelling = callback && this.subscribe(whenToolsChange(callback))
  }

  /**
   * Aborts running calls and hooks, lets queued commands end, accepts no more, and stops following the session. Closes
   * its child sessions; a child session ends in its parent. Waits for nothing that the host's code leaves open, and 30
   * seconds for the log: then it rejects with `TIME_LIMIT`.
   */
  async close(): Promise<void> {
    await closeSession(this.#parts, true).finally(() => this.#listeners.clear())
  }

  /** Its lists are not frozen before a host reads them: methods of frozen lists are slow. */
  get #state(): WorkspaceState {
    return this.#parts.store.getState().state
  }

  #setPolicy(given: PolicyOptions, options?: CommandOptions): Promise<Outcome> {
    const policyOf = ({ policy }: WorkspaceState) => changedPolicy(given, policy, this.#parts)
    return this.#dispatch((state) => ({ type: 'policy.set', policy: policyOf(state) }), options)
  }

  #unregister(owned: Unregistration, options?: CommandOptions) {
    return this.#dispatch({ type: 'source.unregister', ...owned }, options)
  }

  /** Checks what JavaScript may give, and carries out a command. */
  async #dispatch(
    source: CommandSource,
    options?: CommandOptions,
    own: OptionTable = {},
    drain = false,
  ): Promise<Outcome> {
    checkCommand(source, options, own)
    const { by = 'host', ...rest } = options ?? {}
    const command = typeof source === 'function' ? source : { ...source, ...rest }
    return this.#parts.dispatcher.dispatch(command, { by }, { drain })
  }
}
