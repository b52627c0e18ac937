import type { ContentHash } from '../../kernel/content-hash.ts'

/** The three parts of a request. Which comes first is each provider's own. */
export type RequestSegment = 'tools' | 'instructions' | 'conversation'

/** Where a request stops being the one before. */
export interface RequestChange {
  readonly segment: RequestSegment
  /** The tool or section that is new, another, or gone; `messages` for what the host sends itself. */
  readonly part: string
  /** Tokens of this request that come before it. */
  readonly at: number
}

/**
 * What one request costs, and what it kept of the one before, in tokens of the session's
 * tokenizer. Facts of the step: the prices are those known when it was begun.
 */
export interface StepCost {
  /** Whose order and prices these are, such as `anthropic`. */
  readonly provider: string
  /** The order the provider reads in: what comes after a change is read anew. */
  readonly order: readonly RequestSegment[]
  /**
   * What the request carries, deferred definitions apart. The conversation is what the workspace
   * has put there since it began or was compacted, and `messages`.
   */
  readonly tokens: Readonly<Record<RequestSegment, number>>
  /** The host's own messages in `tokens.conversation`; 0 when it did not tell. */
  readonly messages: number
  /** Definitions in the request that the provider keeps out of the prompt. */
  readonly deferred: number
  /** Of the whole text of the instructions. */
  readonly instructions: ContentHash
  /** The tokens of the request before; 0 for the first. */
  readonly previous: number
  /** How many of those, from the first one on, begin this request, too. */
  readonly kept: number
  /** Null when the request before is the beginning of this one. */
  readonly changed: RequestChange | null
  /** The price of the request's prompt, in tokens at the full input price. */
  readonly price: number
  /** What of the price is paid because the prefix was not kept whole. */
  readonly lost: number
}

/** What taking tools out of the request costs, in tokens of the session's tokenizer. */
export interface RemovalPrice {
  /** Tokens of the removed definitions: every later request is so much shorter. */
  readonly tokensFreed: number
  /** Tokens that the provider reads after the first of them, and reads anew once. */
  readonly prefixLost: number
}

/** Tokens of one call, by the tokenizer of its session. Long texts are estimated by their beginning. */
export interface CallTokens {
  readonly arguments: number
  /** Of its data, or of the message of its error. */
  readonly result: number
}
