import type { RequestChange, RequestSegment } from '../../../engine/model/step-cost.ts'
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

/** The conversation of a host that shows its history, next to that of the request before. */
export interface ComparedConversation {
  /** Null when the host did not show its history then. */
  readonly before: readonly RequestPart[] | null
  readonly now: readonly RequestPart[]
  /** The number of messages that they share at the beginning. */
  readonly kept: number
}

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
  /** The request, in the order in which its provider reads it: each part with its tokens. */
  readonly parts: readonly PlacedPart[]
  /** The number of `parts` at the start that the request before has, too: `kept` is the sum of their tokens. */
  readonly shared: number
}

/** A part of a request, and the segment that it is in. */
export type PlacedPart = RequestPart & { readonly segment: RequestSegment }

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
    parts: now,
    shared,
  }
}

function inOrder(image: RequestImage, { order }: ProviderFacts): readonly PlacedPart[] {
  const parts: PlacedPart[] = []
  for (const segment of order) for (const part of image[segment]) parts.push({ ...part, segment })
  return parts
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

/** Adds up the tokens of parts. */
export function tokensOf(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}
