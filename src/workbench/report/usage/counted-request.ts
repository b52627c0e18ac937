import type { ContentHash, JsonValue, WorkspaceEvent } from '../../../entries/index.ts'
import type { CarriedTokens } from './session-usage.ts'

/** The values that the entries of a session refer to. */
export type Stored = ReadonlyMap<ContentHash, JsonValue>

/** One request, with what is counted of it. */
export interface CountedRequest {
  readonly begun: Extract<WorkspaceEvent, { readonly type: 'step.begun' }>
  price: number
  /** The price of its prompt when the next request has it again: that is what a request less would save. */
  again: number
  /** The price of a token that it has again: less where its provider caches. */
  factor: number
  /** The share of the tools and texts at its beginning that came from the cache. */
  share: number
  /** The calls of the model in its answer, and those of them that loaded a skill. */
  calls: number
  loads: number
}

/** Groups requests by what they share, such as a list, and counts their shares of the cache. */
export function groupRequests<Key>(requests: readonly (readonly [CountedRequest, Key])[]) {
  const runs = new Map<Key, { requests: number; shares: number }>()
  for (const [{ share }, key] of requests) {
    const { requests: count, shares } = runs.get(key) ?? { requests: 0, shares: 0 }
    runs.set(key, { requests: count + 1, shares: shares + share })
  }
  return runs
}

/** Adds a text that some requests had, to their tokens. */
export function addCarried(
  { tokens, cached }: CarriedTokens,
  size: number,
  requests: number,
  shares: number,
): CarriedTokens {
  return { tokens: tokens + size * requests, cached: cached + size * shares }
}

export function rounded({ tokens, cached }: CarriedTokens): CarriedTokens {
  return { tokens: Math.round(tokens), cached: Math.round(cached) }
}

export function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0)
}
