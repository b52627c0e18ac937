import type { SentRequest } from '../../../engine/model/engine-context.ts'
import type {
  RemovalPrice,
  RequestChange,
  RequestSegment,
  StepCost,
} from '../../../engine/model/step-cost.ts'
import type { ExposedTool } from '../../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { sentName } from '../../../engine/standing/sent-name.ts'
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
import type { Provider } from '../../../tools/provider-schema/provider-schema.ts'
import type { ExposureStrategy } from './exposure-strategy.ts'
import type { ProviderFacts } from './provider-facts.ts'

/**
 * A part of a request that either changed or not: a tool, the instructions, an addition to the
 * conversation.
 */
export interface RequestPart {
  /** A tool's name, or a section's id. */
  readonly id: string
  /** Parts are the same when their keys are. */
  readonly key: string
  readonly tokens: number
  /** Absent when only the key is known, such as for instructions that another process sent. */
  text?(): string
}

/**
 * A request as a prompt cache compares it, with canonical texts instead of a provider's own form.
 * Definitions that the provider defers are in no segment.
 */
export type RequestImage = Readonly<Record<RequestSegment, readonly RequestPart[]>>

/** The first difference between a request and the one before, and what the provider charges for it. */
export interface PredictedChange {
  /** Null when the request before is the beginning of this one, or there was none. */
  readonly changed: (RequestChange & { readonly byte: number }) | null
  /** Tokens of this request that are read from the cache, before the provider's minimum and grain. */
  readonly kept: number
  /** Tokens that were sent before, and are read again because something before them changed. */
  readonly reread: number
  /** The price of the complete prompt, in tokens at the full input price. */
  readonly price: number
  /** The part of `price` that would be saved if the prefix had not changed. */
  readonly lost: number
}

/** The conversation of a host that shows its history, next to that of the request before. */
export interface ComparedConversation {
  /** Null when the host did not show its history then. */
  readonly before: readonly RequestPart[] | null
  readonly now: readonly RequestPart[]
  /** The number of messages that they share at the beginning. */
  readonly kept: number
}

/** The content of a step that is about to be sent. */
interface StepContent {
  readonly tools: readonly Tool[]
  readonly exposed: readonly ExposedTool[]
  /** All sections of the instructions. */
  readonly instructions: readonly PromptSection[]
  /** Conversation sections that are sent because they changed. */
  readonly sections: readonly PromptSection[]
  /** Deferred tools that the conversation refers to from this step on. */
  readonly references: readonly Tool[]
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
  const { facts } = prices
  const previous = imageBefore(state, step, prices)
  const instructions = textHash(
    step.instructions.map((one) => sectionHash(one, step.format)).join(),
  )
  const next = imageNow(state, step, instructions, prices)
  const predicted = predictChange(previous, next, facts)
  const { changed, kept, price, lost } = predicted
  const before = state.cost?.tokens
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
    deferred: tokensOf(definitionParts(step, true, prices)),
    instructions,
    previous: before === undefined ? 0 : before.tools + before.instructions + before.conversation,
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
  prices: PriceList,
): RequestImage | null {
  const { cost, exposed } = state
  if (cost === null || exposed === null) return null
  const tools = exposed.flatMap(({ name, hash, deferred, added }) =>
    (deferred === true && prices.facts.defers) || added === true
      ? []
      : definitionPart(name, hash, prices),
  )
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
    tokens: definitionTokens(one, counter, sentName(one.name, namesFor)),
  }))
  return {
    tools: definitionParts(step, false, prices),
    instructions: [
      {
        id: 'instructions',
        key: instructions,
        tokens: step.instructions.reduce((sum, section) => sum + priced(section), 0),
      },
    ],
    conversation: step.conversation?.now ?? [
      ...earlierConversation(state, step),
      ...added,
      ...referred,
    ],
  }
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
function definitionParts(step: StepContent, deferred: boolean, prices: PriceList): RequestPart[] {
  const sent = new Map(step.tools.map((tool) => [tool.name, tool]))
  return step.exposed.flatMap((one) => {
    const isOut = one.deferred === true && prices.facts.defers
    if (one.added === true || isOut !== deferred) return []
    return definitionPart(one.name, one.hash, prices, sent.get(one.name))
  })
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

function tokensOf(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Rounds a price to a tenth of a token, for the log. */
function rounded(price: number): number {
  return Math.round(price * 10) / 10
}

/**
 * Compares a request with the one before, in the order in which its provider reads.
 *
 * `byte` counts UTF-8 bytes of canonical texts, so it shows which part changed and where in that part. A
 * provider's own form of the request has other offsets. For a part whose old text is unknown, it is the
 * part's first byte.
 */
export function predictChange(
  previous: RequestImage | null,
  next: RequestImage,
  facts: ProviderFacts,
): PredictedChange {
  const before = previous === null ? [] : inOrder(previous, facts)
  const now = inOrder(next, facts)
  const same = now.findIndex((part, index) => !isSame(before[index], part))
  const shared = Math.min(same < 0 ? now.length : same, before.length)
  const isKept = shared === before.length
  const kept = tokensOf(now.slice(0, shared))
  const rest = now.slice(shared)
  const sent = new Set(isKept ? [] : before.map(positionKey))
  const reread = isKept ? 0 : tokensOf(rest.filter((part) => sent.has(positionKey(part))))
  const total = kept + tokensOf(rest)
  const price = priceOf(kept, total, facts)
  return {
    changed: isKept ? null : changeAt(shared, before, now),
    kept,
    reread,
    price,
    lost: price - priceOf(kept + reread, total, facts),
  }
}

type PlacedPart = RequestPart & { readonly segment: RequestSegment }

function inOrder(image: RequestImage, { order }: ProviderFacts): readonly PlacedPart[] {
  return order.flatMap((segment) => image[segment].map((part) => ({ ...part, segment })))
}

function positionKey({ segment, key }: PlacedPart): string {
  return `${segment} ${key}`
}

function isSame(one: PlacedPart | undefined, other: PlacedPart): boolean {
  return one?.segment === other.segment && one.key === other.key
}

/** Prices a request. A prefix below the minimum is not cached; one above it is cached in whole grains. */
function priceOf(kept: number, total: number, { minimum, grain, read, write }: ProviderFacts) {
  const cached = kept < minimum ? 0 : kept - (kept % grain)
  return cached * read + (total - cached) * write
}

function changeAt(
  index: number,
  before: readonly PlacedPart[],
  now: readonly PlacedPart[],
): PredictedChange['changed'] {
  const [old, fresh] = [before[index], now[index]]
  const shared = now.slice(0, index)
  // A part that was removed is named itself, rather than the part that follows it.
  const isGone = old !== undefined && !now.some((part) => isSame(old, part) || isNamed(old, part))
  const { segment = 'conversation', id = '' } = (isGone ? old : fresh) ?? old ?? {}
  return {
    segment,
    part: id,
    at: tokensOf(shared),
    // Computed on demand: texts are long, and rarely needed.
    get byte() {
      const bytes = shared.reduce((sum, part) => sum + byteLength(part.text?.() ?? ''), 0)
      return bytes + sharedBytes(old?.text?.() ?? '', fresh?.text?.() ?? '')
    },
  }
}

function isNamed(one: PlacedPart, other: PlacedPart): boolean {
  return one.segment === other.segment && one.id === other.id
}

/** Returns the number of UTF-8 bytes that two texts share at their beginning. */
function sharedBytes(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  // The bytes of a surrogate pair change together: it is one character.
  const isHalf = length > 0 && isHighSurrogate(one.charCodeAt(length - 1))
  return byteLength(one.slice(0, isHalf ? length - 1 : length))
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

const encoder = new TextEncoder()

function byteLength(text: string): number {
  return encoder.encode(text).length
}

/**
 * Returns the function that prices removals for one session. When the strategy keeps removed tools in the
 * request, a removal frees nothing and loses nothing: calls are refused, and the request is the same.
 */
export function removalPricer(
  { keepsGone }: ExposureStrategy,
  prices: PriceList,
): (tools: readonly string[], sent: SentRequest) => RemovalPrice {
  if (keepsGone === true) return () => ({ tokensFreed: 0, prefixLost: 0 })
  const { facts, counter } = prices
  const after = facts.order.slice(facts.order.indexOf('tools') + 1)
  return (tools, { exposed, cost }) => {
    const behind = after.reduce((sum, segment) => sum + (cost?.tokens[segment] ?? 0), 0)
    const tokensOfTool = (one: ExposedTool) => sentToolTokens(one, prices, counter)
    return removalPrice(tools, exposed, tokensOfTool, behind)
  }
}
