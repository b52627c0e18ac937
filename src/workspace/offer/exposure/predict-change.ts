import type { RequestChange, RequestSegment } from '../../../engine/model/step-cost.ts'
import type { ProviderFacts } from './provider-facts.ts'

/** Where a request stops being the one before, and what the provider takes for that. */
export interface PredictedChange {
  /** Null when the request before is the beginning of this one, or there was none. */
  readonly changed: (RequestChange & { readonly byte: number }) | null
  /** Tokens of this request that are read from the cache, before the provider's minimum and grain. */
  readonly kept: number
  /** Tokens that were sent before, too, and are read anew because something before them changed. */
  readonly reread: number
  /** Of the whole prompt, in tokens at the full input price. */
  readonly price: number
  /** What of it would not be paid had the prefix been kept whole. */
  readonly lost: number
}

/**
 * Compare a request with the one before in the order its provider reads.
 *
 * `byte` counts UTF-8 bytes of canonical texts, so it tells which part changed and how far into
 * it; a provider's own form of the request has other offsets. Within a part whose text is not
 * known any more it is the part's first.
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

function tokensOf(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** A prefix below the minimum is not cached at all, and one above it in whole grains. */
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
  // What is gone from its segment is told by its own name, not by that of what follows it.
  const isGone = old !== undefined && !now.some((part) => isSame(old, part) || isNamed(old, part))
  const { segment = 'conversation', id = '' } = (isGone ? old : fresh) ?? old ?? {}
  return {
    segment,
    part: id,
    at: tokensOf(shared),
    // Texts are long, and seldom asked for.
    get byte() {
      const bytes = shared.reduce((sum, part) => sum + byteLength(part.text?.() ?? ''), 0)
      return bytes + sharedBytes(old?.text?.() ?? '', fresh?.text?.() ?? '')
    },
  }
}

function isNamed(one: PlacedPart, other: PlacedPart): boolean {
  return one.segment === other.segment && one.id === other.id
}

/** The UTF-8 bytes two texts begin with alike. */
function sharedBytes(one: string, other: string): number {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  // A pair of surrogates is one character: its bytes change together.
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
 * A piece of a request that is the same as before or is not: a tool, the instructions, what is
 * added to the conversation.
 */
export interface RequestPart {
  /** What it is called: a tool's name, a section's id. */
  readonly id: string
  /** Parts are the same when their keys are. */
  readonly key: string
  readonly tokens: number
  /** Absent when only the key is still known, as of instructions that another process sent. */
  text?(): string
}

/**
 * A request as a cache compares it: canonical texts in place of a provider's own form of them.
 * Definitions that the provider defers are in none of the segments.
 */
export type RequestImage = Readonly<Record<RequestSegment, readonly RequestPart[]>>
