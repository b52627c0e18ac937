import type { SessionJournal } from '../commands/session-journal.ts'
import { checkOptions, type OptionsOf } from '../../kernel/check-options.ts'
import { withThrownAway } from '../../engine/evolve/evolve-calls.ts'
import type { OpenCall } from '../../engine/model/call-event.ts'
import { requestTokens, type StepCost } from '../../engine/model/step-cost.ts'
import type { ExposedTool, SentSection } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { isLoadedBy } from '../../engine/standing/assess-skill.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { ConversationChange } from '../../engine/model/conversation-state.ts'
import type { PromptDocument, PromptSection } from '../../render/prompt/document/prompt-document.ts'
import {
  type ConversationPart,
  conversationParts,
  writePrompt,
} from '../../render/prompt/forms/write-prompt.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { ErrorType } from '../../tools/response/error-type.ts'
import {
  historyKey,
  type HistoryMessage,
  type HistoryResult,
  type StepMessage,
  type ToolAddition,
} from './conversation/history-message.ts'
import { namesAsValues } from './conversation/keep-text.ts'
import type { PlacedMessage } from './conversation/place-messages.ts'
import {
  type ConversationParts,
  openConversation,
  type OpenConversation,
  planConversation,
  withdrawFrom,
} from './conversation/plan-conversation.ts'
import { toolChangeSince } from './conversation/next-tool-change.ts'
import { TRIM_OPTIONS, type TrimOptions } from './conversation/trim-history.ts'
import {
  findWithdrawal,
  WITHDRAW_TEXTS,
  type WithdrawTexts,
} from './conversation/withdraw-texts.ts'
import type { ExposureStrategy } from './exposure/exposure-strategy.ts'
import { type Carried, type ChosenExposure, chooseStrategy } from './exposure/plan-exposure.ts'
import { factsOfModel, isKnownProvider } from './exposure/provider-facts.ts'
import type { PredictedChange } from './exposure/predict-change.ts'
import { priceStep } from './exposure/price-step.ts'
import { planTools } from './plan-tools.ts'
import type { SessionParts } from './session-parts.ts'
import { settleConditions } from './settle-conditions.ts'
import {
  PROMPT_OPTIONS,
  promptChoices,
  type PromptRequest,
  workspaceDocument,
} from './workspace-document.ts'

/** Logs what one request shows the model, and returns what it carries. Rejects inside a hook. */
export async function beginStep(parts: SessionParts, request: StepRequest): Promise<WorkspaceStep> {
  checkOptions(request, STEP_OPTIONS)
  const { dispatcher, store } = parts
  await parts.servers.announced()
  if (request.history) await recordClientAnswers(request.history, parts)
  await settleConditions(parts)
  let planned: PlannedStep | undefined
  const outcome = await dispatcher.dispatch(
    async (state) => {
      planned = await planStep(state, parts, request, exposureFor(parts.exposure, request))
      const { exposure, cost } = planned.content
      const prompt = promptChoices(request, parts)
      return {
        type: 'step.begin',
        strategy: exposure.strategy,
        cost,
        ...planned.logged,
        ...(Object.keys(prompt).length > 0 && { prompt }),
        ...(request.activeTools && { activeTools: request.activeTools }),
      }
    },
    { by: 'host' },
  )
  outcome.orThrow()
  const { content, chosen } = planned as PlannedStep
  parts.exposure = chosen
  return { step: store.getState().state.step, seq: outcome.seq, ...content }
}

/** Options of a step. */
export interface StepRequest extends PromptRequest {
  /**
   * Tokens of the messages that the request carries in addition to the workspace's own sections, so that
   * the price of a change includes them. Fewer than in the step before mean that history was cut. Not
   * needed with `history`.
   */
  readonly messageTokens?: number
  /**
   * The ways of changing tools that the sender of the request can send. The planner picks from these only, so
   * that the ledger promises nothing that is not sent. None when absent; a strategy that the host chose by
   * name is used.
   */
  readonly carries?: readonly Carried[]
  /** The id of the model, such as `gpt-5.4`, of the provider of the session: facts depend on its family. */
  readonly model?: string
  /**
   * The conversation that the request carries, without the messages of the workspace. The step returns it
   * with those in their places, and the ledger compares it with that of the request before.
   */
  readonly history?: readonly HistoryMessage[]
  /** Leaves out the middle of a long history; nothing is left out by default. */
  readonly trim?: TrimOptions
  /** The withdrawal of texts that no longer apply from the conversation; `free` by default. See `WithdrawTexts`. */
  readonly withdraw?: WithdrawTexts
  /**
   * The only tools that the model may see and call in this step, by their names in the session; all available
   * ones when absent. Calls by handlers and by the host are not limited.
   */
  readonly activeTools?: readonly string[]
}

export const STEP_OPTIONS: OptionsOf<StepRequest> = {
  ...PROMPT_OPTIONS,
  messageTokens: 'number',
  carries: 'list',
  model: 'text',
  history: 'list',
  trim: TRIM_OPTIONS,
  withdraw: WITHDRAW_TEXTS,
  activeTools: 'list',
}

/** One text for the end of the conversation. That of a part that is gone is a sentence that says so. */
export interface StepSection {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** The content of one request to the model. */
export interface WorkspaceStep {
  readonly step: number
  /** The log entry that records what was exposed. */
  readonly seq: number
  /** The complete system text; the same bytes as long as the session's profile is the same. */
  readonly instructions: string
  /**
   * The parts of the workspace's text that changed since the last step: one for each section, and one for each
   * active skill. Append them in this order. The instructions that `loadSkill` returned to the model are not
   * repeated.
   */
  readonly conversation: readonly StepSection[]
  /** The tools to send, in order, under their names in this session. */
  readonly tools: readonly Tool[]
  /** Names of the tools that the provider must keep out of the prompt. */
  readonly deferred: ReadonlySet<string>
  /**
   * Names of deferred tools that the conversation must refer to from this step on, in the provider's way:
   * they were found, or their skill was activated. Each is listed once.
   */
  readonly references: readonly string[]
  /**
   * The tools that enter and leave in the conversation at this step; none under other strategies than
   * `conversation`. With `history`, they are in `messages`, too.
   */
  readonly additions: readonly ToolAddition[]
  readonly removals: readonly string[]
  /** The conversation to send, in order; empty without `history`. */
  readonly messages: readonly StepMessage[]
  readonly exposure: {
    readonly strategy: string
    readonly provider: string
    /** The reason for the strategy, for people. */
    readonly why: string
  }
  /** Tokens of texts that no longer apply, which this request withdrew from the conversation. */
  readonly freed: number
  /** Also in the log. */
  readonly cost: StepCost
}

/** A step before it is logged. */
export interface PlannedStep {
  readonly content: Omit<WorkspaceStep, 'step' | 'seq'>
  readonly predicted: PredictedChange
  readonly document: PromptDocument
  readonly chosen: ChosenExposure
  readonly hidden: ReadonlySet<string>
  /** The facts for the log, without the cost. */
  readonly logged: {
    readonly exposed: readonly ExposedTool[]
    /** Every current conversation section. */
    readonly sections: readonly SentSection[]
    /** Absent for a host that does not show its history. */
    readonly conversation?: ConversationChange
  }
}

/** Plans one request to the model from the state: its tools, its text, and their cost. */
export async function planStep(
  before: WorkspaceState,
  parts: SessionParts,
  given: StepRequest,
  chosen: ChosenExposure,
): Promise<PlannedStep> {
  const {
    carries: _,
    model: __,
    withdraw = 'free',
    messageTokens = 0,
    history,
    trim,
    ...others
  } = given
  const { activeTools, ...request } = others
  const names = activeTools && { seq: before.seq, names: activeTools }
  const calls = history && withThrownAway(before.stepCalls, historyKey(history))
  const stepCalls = calls ? { ...before.stepCalls, calls } : before.stepCalls
  const state = { ...before, activeTools: names ?? null, stepCalls }
  const { context, counter, definitions } = parts
  const scopes = [parts.variables, request.variables].filter((one) => one !== undefined)
  const { namesFor } = context
  const tool = (hash: ContentHash) => context.tool(hash)
  const lookup = { definitions, scopes, counter, tool, namesFor }
  const promptRequest = trim === undefined ? request : { historyIsCut: true, ...request }
  const plan: StepPlan = { state, parts, chosen, request: promptRequest, messageTokens, lookup }
  if (history === undefined) return planRequest(plan, undefined)
  const opened = await openConversation(state, history, trim, lookup)
  const planned = await planRequest(plan, opened)
  const from = withdraw === 'now' ? 0 : withdraw === 'free' ? rereadFrom(plan, planned) : Infinity
  const withdrawal = findWithdrawal(planned.placed, from, state)
  if (withdrawal === null) return planned
  const reduced = await planRequest(plan, withdrawFrom(opened, state.conversation, withdrawal))
  const freed = requestTokens(planned.content.cost) - requestTokens(reduced.content.cost)
  const { conversation } = reduced.logged
  const logged = {
    ...reduced.logged,
    ...(conversation && { conversation: { ...conversation, freed } }),
  }
  return { ...reduced, logged, content: { ...reduced.content, freed } }
}

/** Everything that the plan of a request depends on, but the conversation. */
interface StepPlan {
  readonly state: WorkspaceState
  readonly parts: SessionParts
  readonly chosen: ChosenExposure
  readonly request: PromptRequest
  readonly messageTokens: number
  readonly lookup: ConversationParts
}

/** A plan with the messages that it carries; none for a host that does not show its history. */
interface PlannedRequest extends PlannedStep {
  readonly placed: readonly PlacedMessage[]
}

/**
 * Returns the index of the first message that the provider reads again, because something before it changed, or because its
 * cache keeps nothing for that long.
 */
function rereadFrom(
  { state, parts, chosen: { provider } }: StepPlan,
  { predicted, placed, logged }: PlannedRequest,
): number {
  const { begun, last } = state.reported
  const { lifetimeMs = provider.lifetimeMs ?? Infinity } = last?.report ?? {}
  const isCold = begun !== null && parts.clock.now() - begun.at > lifetimeMs
  if (isCold) return 0
  const kept = logged.conversation?.kept ?? 0
  const ahead = predicted.parts.findIndex(({ segment }) => segment === 'conversation')
  return kept > 0 && predicted.shared > ahead ? Math.min(kept, placed.length) : 0
}

/** Plans a request with this conversation. */
async function planRequest(
  { state, parts, chosen, request, messageTokens, lookup }: StepPlan,
  opened: OpenConversation | undefined,
): Promise<PlannedRequest> {
  const { counter, tool, namesFor } = lookup
  const { strategy, provider, why, carries } = chosen
  const removes =
    strategy.name === 'conversation' && provider.removes && (carries?.includes('removals') ?? true)
  const { tools, exposed, references, hidden } = await planTools(state, parts, {
    strategy,
    removes,
    opened,
  })
  const { format = 'markdown' } = request
  const document = workspaceDocument(state, parts, request, strategy)
  const placed = Map.groupBy(document.sections, ({ placement }) => placement)
  const current = conversationParts(document, format)
  const { sections, changed } = compareSections(state, current)
  const named = () =>
    conversationParts(namedDocument(document, state, parts, request, strategy), format)
  const conversation =
    opened && planConversation(state, opened, { exposed, removes, parts: current, named }, lookup)
  const change = conversation?.tools ?? toolChangeSince(state, { exposed }, lookup)
  const { cost, predicted } = priceStep(
    state,
    {
      tools,
      exposed,
      instructions: placed.get('instructions') ?? [],
      sections: changed,
      references: tools.filter(({ name }) => references.includes(name)),
      change,
      messages: conversation?.hostTokens ?? messageTokens,
      conversation: conversation?.compared ?? null,
      format,
    },
    { facts: provider, counter, tool, namesFor },
  )
  const content = {
    tools,
    deferred: new Set(exposed.flatMap(({ name, deferred }) => (deferred ? name : []))),
    references,
    additions: change.additions,
    removals: change.removals,
    messages: conversation?.messages ?? [],
    exposure: { strategy: strategy.name, provider: provider.name, why },
    instructions: writePrompt(document, { format, placement: 'instructions' }),
    conversation: changed,
    freed: 0,
    cost,
  }
  const logged = {
    exposed,
    sections,
    ...(conversation && { conversation: conversation.change }),
  }
  return {
    content,
    predicted,
    document,
    chosen,
    hidden,
    logged,
    placed: conversation?.placed ?? [],
  }
}

/** The parts of a step's text, and what the model lacks of them. */
interface SectionChanges {
  readonly sections: readonly SentSection[]
  readonly changed: readonly StepSection[]
}

/** Compares the parts of the workspace's text with those that the model has. */
function compareSections(
  state: WorkspaceState,
  current: readonly ConversationPart[],
): SectionChanges {
  const before = new Map(state.sections.map(({ id, hash }) => [id, hash]))
  const now = new Set<string>()
  const answered = answeredLoads(state)
  const sections: SentSection[] = []
  const changed: StepSection[] = []
  for (const { id, title, text, hash, skill } of current) {
    sections.push({ id, title, hash })
    const isKnown = skill !== undefined && isLoadedBy(answered, skill, state)
    if (before.get(id) !== hash && !isKnown) changed.push({ id, title, text })
    now.add(id)
  }
  for (const { id, title = id } of state.sections) {
    // The request itself says which tools are available.
    if (now.has(id) || id === 'available-tools') continue
    changed.push({ id, title, text: `No longer applies: ${title}.\n\n` })
  }
  return { sections, changed }
}

/** Returns the ids of the calls since the last step that answered with the instructions of a skill. */
function answeredLoads({ stepCalls: { calls, before } }: WorkspaceState): ReadonlySet<string> {
  const answered = new Set<string>()
  for (const { call, tool, status, since } of calls) {
    if (tool === 'loadSkill' && status === 'ended' && since >= before) answered.add(call)
  }
  return answered
}

/** Returns the document with the names of variables instead of their values. */
function namedDocument(
  document: PromptDocument,
  state: WorkspaceState,
  parts: SessionParts,
  request: PromptRequest,
  strategy: ExposureStrategy,
): PromptDocument {
  const isPlain = ({ placement, variables }: PromptSection) =>
    placement !== 'conversation' || variables.length === 0
  if (document.sections.every(isPlain)) return document
  const named = (scope: VariableScope | undefined) => scope && namesAsValues(scope)
  const [workspace, call] = [named(parts.variables), named(request.variables)]
  return workspaceDocument(
    state,
    { ...parts, variables: workspace },
    { ...request, ...(call && { variables: call }) },
    strategy,
  )
}

/**
 * Returns the strategy for an adapter and a model: that of the session, if they can do it. A host that says
 * nothing sends what every request can carry, unless it chose the strategy itself.
 */
export function exposureFor(
  { basis }: ChosenExposure,
  { carries, model }: Pick<StepRequest, 'carries' | 'model'>,
): ChosenExposure {
  const { given, outlook } = basis
  const known = outlook.provider
  const provider =
    model !== undefined && isKnownProvider(known) ? factsOfModel(known.name, model) : known
  const carried = carries ?? (given === 'auto' ? [] : undefined)
  return chooseStrategy(basis, { ...outlook, provider, ...(carried && { carries: carried }) })
}

/**
 * Records the ends of calls that waited for the client: a result of one in the host's history is the answer of the
 * client. A call that the user passed over, by a later message without an answer, is aborted.
 */
async function recordClientAnswers(
  history: readonly HistoryMessage[],
  { store, dispatcher, clock }: SessionJournal,
): Promise<void> {
  for (const { call, tool, startedAt } of store.getState().state.waiting) {
    const end = endIn(history, call)
    if (end === null) continue
    const durationMs = Math.max(0, clock.now() - startedAt)
    const command = { type: 'call.end', call, tool, ...end, durationMs, intents: [] } as const
    await dispatcher.dispatch(command, { by: 'user' })
  }
}

/** Returns the end of a call in a history; null while it still waits, or is not in the history. */
function endIn(history: readonly HistoryMessage[], id: OpenCall['call']) {
  const made = history.findLastIndex(({ calls }) => calls?.includes(id))
  if (made === -1) return null
  const later = history.slice(made + 1)
  const isIts = ({ call, outcome }: HistoryResult) => call === id && outcome !== 'lost'
  const result = later.flatMap(({ results = [] }) => results).find(isIts)
  if (result?.outcome === 'failed') return { ok: false, error: ErrorType.PERMANENT }
  if (result !== undefined) return { ok: true, error: null }
  return later.some(({ role }) => role === 'user') ? { ok: false, error: ErrorType.ABORTED } : null
}
