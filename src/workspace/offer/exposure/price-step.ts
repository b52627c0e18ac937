import type { SentRequest } from '../../../engine/model/engine-context.ts'
import type { RemovalPrice, StepCost } from '../../../engine/model/step-cost.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { type ContentHash, textHash } from '../../../kernel/content-hash.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { PromptSection } from '../../../render/prompt/document/prompt-document.ts'
import { type PromptFormat, sectionHash } from '../../../render/prompt/forms/write-prompt.ts'
import { removalPrice } from '../../../render/prompt/ledger/prompt-ledger.ts'
import {
  definitionText,
  definitionTokens,
  sectionTokens,
} from '../../../render/prompt/ledger/section-tokens.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { ExposureStrategy } from './exposure-strategy.ts'
import {
  predictChange,
  type PredictedChange,
  type RequestImage,
  type RequestPart,
} from './predict-change.ts'
import type { ProviderFacts } from './provider-facts.ts'

/** What a step is about to send. */
interface StepContent {
  readonly tools: readonly Tool[]
  readonly exposed: readonly ExposedTool[]
  /** Sections of the instructions, all of them. */
  readonly instructions: readonly PromptSection[]
  /** Conversation sections that are sent because they changed. */
  readonly sections: readonly PromptSection[]
  /** Deferred tools that the conversation refers to from this step on. */
  readonly references: readonly Tool[]
  /** Tokens of the host's own messages, as far as it tells. */
  readonly messages: number
  readonly format: PromptFormat
}

/** What definitions are looked up and priced by. */
interface PriceList {
  readonly facts: ProviderFacts
  readonly counter: TokenCounter
  tool(hash: ContentHash): Tool | undefined
}

/** What a step costs, as the log keeps it, and what that follows from. */
interface PricedStep {
  readonly cost: StepCost
  readonly predicted: PredictedChange
}

/** Price a step against the one before, which the state knows. */
export function priceStep(state: WorkspaceState, step: StepContent, prices: PriceList): PricedStep {
  const { facts } = prices
  const previous = imageBefore(state, prices)
  const instructions = textHash(
    step.instructions.map((one) => sectionHash(one, step.format)).join(),
  )
  const next = imageNow(state, step, instructions, prices)
  const predicted = predictChange(previous, next, facts)
  const { changed, kept, price, lost } = predicted
  const before = state.cost?.tokens
  const cost: StepCost = {
    provider: facts.name,
    order: facts.order,
    tokens: {
      tools: tokensOf(next.tools),
      instructions: tokensOf(next.instructions),
      conversation: tokensOf(next.conversation),
    },
    messages: step.messages,
    deferred: tokensOf(definitionParts(step, true, prices)),
    instructions,
    previous: before === undefined ? 0 : before.tools + before.instructions + before.conversation,
    kept,
    changed: changed && { segment: changed.segment, part: changed.part, at: changed.at },
    price: rounded(price),
    lost: rounded(lost),
  }
  return { cost, predicted }
}

/** The request before, as far as it is still known: texts of definitions, and keys of the rest. */
function imageBefore(state: WorkspaceState, prices: PriceList): RequestImage | null {
  const { cost, exposed } = state
  if (cost === null || exposed === null) return null
  const tools = exposed.flatMap(({ name, hash, deferred }) =>
    deferred === true && prices.facts.defers ? [] : definitionPart(name, hash, prices),
  )
  const { instructions, conversation } = cost.tokens
  return {
    tools,
    instructions: [{ id: 'instructions', key: cost.instructions, tokens: instructions }],
    conversation: earlierMessages('since the start', conversation),
  }
}

function imageNow(
  state: WorkspaceState,
  step: StepContent,
  instructions: ContentHash,
  { facts, counter, tool }: PriceList,
): RequestImage {
  const { format } = step
  const priced = (section: PromptSection) => sectionTokens(section, counter, format)
  const added = step.sections.map((section): RequestPart => ({
    id: section.id,
    key: section.id,
    tokens: priced(section),
  }))
  const referred = step.references.map((one): RequestPart => ({
    id: one.name,
    key: `reference ${one.name}`,
    tokens: definitionTokens(one, counter),
  }))
  return {
    tools: definitionParts(step, false, { facts, counter, tool }),
    instructions: [
      {
        id: 'instructions',
        key: instructions,
        tokens: step.instructions.reduce((sum, section) => sum + priced(section), 0),
      },
    ],
    conversation: [...earlierConversation(state, step), ...added, ...referred],
  }
}

/**
 * What the conversation holds already. A summary, or fewer messages than before, begins it anew;
 * otherwise messages are only added.
 */
function earlierConversation(
  { cost, compacted }: WorkspaceState,
  { messages }: StepContent,
): RequestPart[] {
  const told = cost?.messages ?? 0
  const carried = compacted?.tokens ?? (cost?.tokens.conversation ?? 0) - told
  if (compacted !== null) return earlierMessages(`since ${compacted.seq}`, carried + messages)
  if (messages < told) return earlierMessages('shortened', carried + messages)
  const more = messages - told
  return [
    ...earlierMessages('since the start', carried + told),
    ...(more === 0 ? [] : [{ id: 'messages', key: 'more messages', tokens: more }]),
  ]
}

function earlierMessages(key: string, tokens: number): RequestPart[] {
  return tokens === 0 ? [] : [{ id: 'messages', key, tokens }]
}

/** The definitions in the prompt, or those that the provider keeps out of it. */
function definitionParts(step: StepContent, deferred: boolean, prices: PriceList): RequestPart[] {
  return step.exposed.flatMap((one, index) => {
    const isOut = one.deferred === true && prices.facts.defers
    const tool = step.tools[index]
    return isOut === deferred ? definitionPart(one.name, one.hash, prices, tool) : []
  })
}

function definitionPart(
  name: string,
  hash: ContentHash,
  { counter, tool }: PriceList,
  sent: Tool | undefined = tool(hash),
): RequestPart {
  const part = { id: name, key: `${name} ${hash}` }
  if (sent === undefined) return { ...part, tokens: 0 }
  return {
    ...part,
    tokens: definitionTokens(sent, counter, name),
    text: () => definitionText(sent, name),
  }
}

function tokensOf(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Tenths of a token are enough for a price, and read well in a log. */
function rounded(price: number): number {
  return Math.round(price * 10) / 10
}

/**
 * Prices removals for one session. Where the strategy keeps what left in the request, a removal
 * frees nothing and loses nothing: its tools are refused, and the request is the same.
 */
export function removalPricer(
  { keepsGone }: ExposureStrategy,
  { facts, counter, tool }: PriceList,
): (tools: readonly string[], sent: SentRequest) => RemovalPrice {
  if (keepsGone === true) return () => ({ tokensFreed: 0, prefixLost: 0 })
  const after = facts.order.slice(facts.order.indexOf('tools') + 1)
  return (tools, { exposed, cost }) => {
    const behind = after.reduce((sum, segment) => sum + (cost?.tokens[segment] ?? 0), 0)
    return removalPrice(tools, exposed, tool, counter, behind)
  }
}
