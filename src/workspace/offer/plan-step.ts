import { withThrownAway } from '../../engine/evolve/evolve-calls.ts'
import { requestTokens } from '../../engine/model/step-cost.ts'
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
import { requestKey } from './conversation/history-message.ts'
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
import { findWithdrawal } from './conversation/withdraw-texts.ts'
import type { ExposureStrategy } from './exposure/exposure-strategy.ts'
import type { ChosenExposure } from './exposure/plan-exposure.ts'
import type { PredictedChange } from './exposure/predict-change.ts'
import { priceStep } from './exposure/price-step.ts'
import { planTools } from './plan-tools.ts'
import type { SessionParts } from './session-parts.ts'
import { type PromptRequest, workspaceDocument } from './workspace-document.ts'
import type { StepRequest, StepSection, WorkspaceStep } from './workspace-step.ts'

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
    run,
    withdraw = 'free',
    messageTokens = 0,
    history,
    trim,
    ...others
  } = given
  const { activeTools, ...request } = others
  const names = activeTools && { seq: before.seq, names: activeTools }
  const calls = history && withThrownAway(before.stepCalls, requestKey(history, run))
  const stepCalls = calls ? { ...before.stepCalls, calls } : before.stepCalls
  const state = { ...before, activeTools: names ?? null, stepCalls }
  const { context, counter, definitions } = parts
  const scopes = [parts.variables, request.variables].filter((one) => one !== undefined)
  const { namesFor } = context
  const tool = (hash: ContentHash) => context.tool(hash)
  const { changesAnywhere = false } = chosen.provider
  const lookup = { definitions, scopes, counter, tool, namesFor, changesAnywhere }
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
  // The texts of another agent are those that it sent last.
  if (state.opening?.observed) return { sections: state.sections, changed: [] }
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
