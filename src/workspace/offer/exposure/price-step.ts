import type { SentRequest } from '../../../engine/model/engine-context.ts'
import {
  type RemovalPrice,
  type RequestChange,
  requestTokens,
  type StepCost,
} from '../../../engine/model/step-cost.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { sentName } from '../../../engine/standing/assess.ts'
import { type ContentHash, textHash } from '../../../kernel/content-hash.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { PromptSection } from '../../../render/prompt/document/prompt-document.ts'
import { type PromptFormat, sectionHash } from '../../../render/prompt/forms/write-prompt.ts'
import { removalPrice } from '../../../render/prompt/ledger/prompt-ledger.ts'
import {
  definitionText,
  definitionTokens,
  sectionTokens,
  sentToolTokens,
} from '../../../render/prompt/ledger/section-tokens.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Provider } from '../../../schema/provider-forms/provider-schema.ts'
import type { ExposureStrategy } from './exposure-strategy.ts'
import {
  type ComparedConversation,
  predictChange,
  type PredictedChange,
  type RequestImage,
  type RequestPart,
  tokensOf,
} from './predict-change.ts'
import type { ProviderFacts } from './provider-facts.ts'

/** The content of a step that is about to be sent. */
interface StepContent {
  readonly tools: readonly Tool[]
  readonly exposed: readonly ExposedTool[]
  /** All sections of the instructions. */
  readonly instructions: readonly PromptSection[]
  /** Texts of the workspace that are sent because they changed. */
  readonly sections: readonly { readonly id: string; readonly text: string }[]
  /** Deferred tools that the conversation refers to from this step on. */
  readonly references: readonly Tool[]
  /** The change of tools that the conversation carries from this step on. */
  readonly change: {
    readonly additions: readonly { readonly tool: Tool; readonly known: boolean }[]
    readonly removals: readonly string[]
  }
  /** Tokens of the host's own messages, if the host counts or shows them. */
  readonly messages: number
  /** The conversation of a host that shows its history; null for one that does not. */
  readonly conversation: ComparedConversation | null
  readonly format: PromptFormat
}

/** Looks up definitions, and prices them. */
interface PriceList {
  readonly facts: ProviderFacts
  readonly counter: TokenCounter
  tool(hash: ContentHash): Tool | undefined
  /** The provider whose rules for names hold. */
  readonly namesFor?: Provider | undefined
}

/** The cost of a step, for the log, and the change that it follows from. */
interface PricedStep {
  readonly cost: StepCost
  readonly predicted: PredictedChange
}

/** Prices a step in comparison with the one before, which is in the state. */
export function priceStep(state: WorkspaceState, step: StepContent, prices: PriceList): PricedStep {
  const { facts, namesFor } = prices
  const { length: tools } = step.tools
  // Of a provider that the host did not name, nothing is known.
  const { tools: most = Infinity } = namesFor === undefined ? {} : facts
  const instructions = textHash(
    step.instructions.map((one) => sectionHash(one, step.format)).join(),
  )
  const next = imageNow(state, step, instructions, prices)
  const previous = imageBefore(state, step, next, prices)
  const predicted = predictChange(previous, next, facts)
  const { changed, kept, price, lost } = predicted
  const cost: StepCost = {
    provider: facts.name,
    ...(facts.family !== undefined && { family: facts.family }),
    order: facts.order,
    tokens: {
      tools: tokensOf(next.tools),
      instructions: tokensOf(next.instructions),
      conversation: tokensOf(next.conversation),
    },
    messages: step.messages,
    ...(tools > most && { tooMany: { tools, most } }),
    deferred: tokensOf(definitionParts(step, true, prices)),
    instructions,
    previous: state.cost === null ? 0 : requestTokens(state.cost),
    kept,
    changed: changed && loggedChange(changed, step),
    price: rounded(price),
    lost: rounded(lost),
  }
  return { cost, predicted }
}

function loggedChange(
  { segment, part, at }: RequestChange,
  { conversation }: StepContent,
): RequestChange {
  const place = { segment, part, at }
  if (segment !== 'conversation' || conversation === null) return place
  return { ...place, message: conversation.kept }
}

/** Rebuilds the request before from the state: texts of definitions, and keys of the rest. */
function imageBefore(
  state: WorkspaceState,
  step: StepContent,
  next: RequestImage,
  prices: PriceList,
): RequestImage | null {
  const { cost, exposed } = state
  if (cost === null || exposed === null) return null
  const tools =
    exposed === step.exposed ? next.tools : definitionParts({ tools: [], exposed }, false, prices)
  const { instructions, conversation } = cost.tokens
  return {
    tools,
    instructions: [{ id: 'instructions', key: cost.instructions, tokens: instructions }],
    conversation: step.conversation?.before ?? earlierMessages('since the start', conversation),
  }
}

function imageNow(
  state: WorkspaceState,
  step: StepContent,
  instructions: ContentHash,
  prices: PriceList,
): RequestImage {
  const { counter, namesFor } = prices
  let tokens = 0
  for (const section of step.instructions) tokens += sectionTokens(section, counter, step.format)
  const added = step.sections.map((section): RequestPart => ({
    id: section.id,
    key: section.id,
    tokens: counter.count(section.text),
  }))
  const referred = step.references.map((one): RequestPart => ({
    id: one.name,
    key: `reference ${one.name}`,
    tokens: definitionTokens(one, counter, sentName(one.name, namesFor)),
  }))
  return {
    tools: definitionParts(step, false, prices),
    instructions: [{ id: 'instructions', key: instructions, tokens }],
    conversation: step.conversation?.now ?? [
      ...earlierConversation(state, step),
      ...added,
      ...referred,
      ...changePart(step.change, prices),
    ],
  }
}

/** Returns a change of tools as a part of the conversation of a host that does not show its history. */
function changePart(
  { additions, removals }: StepContent['change'],
  { counter, namesFor }: PriceList,
): RequestPart[] {
  const [first = removals[0]] = additions.map(({ tool }) => tool.name)
  if (first === undefined) return []
  const names = removals.map((name) => sentName(name, namesFor)).join(' ')
  const tokens = additions.reduce((sum, { tool, known }) => {
    const name = sentName(tool.name, namesFor)
    return sum + (known ? counter.count(name ?? tool.name) : definitionTokens(tool, counter, name))
  }, counter.count(names))
  return [{ id: first, key: `tools with ${first}`, tokens }]
}

/**
 * Returns the part of the conversation that was sent before. A summary, or fewer messages than before,
 * restarts it; otherwise messages are only added.
 */
function earlierConversation(
  { cost, compacted }: WorkspaceState,
  { messages }: StepContent,
): RequestPart[] {
  const counted = cost?.messages ?? 0
  const carried = compacted?.tokens ?? (cost?.tokens.conversation ?? 0) - counted
  if (compacted !== null) return earlierMessages(`since ${compacted.seq}`, carried + messages)
  if (messages < counted) return earlierMessages('shortened', carried + messages)
  const more = messages - counted
  return [
    ...earlierMessages('since the start', carried + counted),
    ...(more === 0 ? [] : [{ id: 'messages', key: 'more messages', tokens: more }]),
  ]
}

function earlierMessages(key: string, tokens: number): RequestPart[] {
  return tokens === 0 ? [] : [{ id: 'messages', key, tokens }]
}

/** Returns the definitions in the prompt, or those that the provider defers. */
function definitionParts(
  step: Pick<StepContent, 'tools' | 'exposed'>,
  deferred: boolean,
  prices: PriceList,
): RequestPart[] {
  const sent = new Map(step.tools.map((tool) => [tool.name, tool]))
  const parts: RequestPart[] = []
  for (const one of step.exposed) {
    const isOut = one.deferred === true && prices.facts.defers
    if (one.added === true || isOut !== deferred) continue
    parts.push(definitionPart(one.name, one.hash, prices, sent.get(one.name)))
  }
  return parts
}

function definitionPart(
  name: string,
  hash: ContentHash,
  { counter, tool, namesFor }: PriceList,
  sent: Tool | undefined = tool(hash),
): RequestPart {
  const part = { id: name, key: `${name} ${hash}` }
  if (sent === undefined) return { ...part, tokens: 0 }
  const sentAs = sentName(name, namesFor)
  return {
    ...part,
    tokens: definitionTokens(sent, counter, sentAs),
    text: () => definitionText(sent, sentAs),
  }
}

/** Rounds a price to a tenth of a token, for the log. */
function rounded(price: number): number {
  return Math.round(price * 10) / 10
}

/**
 * Prices the removal of tools. When the strategy keeps removed tools in the request, a removal frees nothing and
 * loses nothing: calls are refused, and the request is the same.
 */
export function priceRemoval(
  tools: readonly string[],
  { exposed, cost }: SentRequest,
  { keepsGone }: ExposureStrategy,
  prices: PriceList,
): RemovalPrice {
  if (keepsGone === true) return { tokensFreed: 0, prefixLost: 0 }
  const { facts, counter } = prices
  const after = facts.order.slice(facts.order.indexOf('tools') + 1)
  const behind = after.reduce((sum, segment) => sum + (cost?.tokens[segment] ?? 0), 0)
  const tokensOfTool = (one: ExposedTool) => sentToolTokens(one, prices, counter)
  return removalPrice(tools, exposed, tokensOfTool, behind)
}
