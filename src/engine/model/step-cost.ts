import type { ContentHash } from '../../kernel/content-hash.ts'

/** The three parts of a request. Their order depends on the provider. */
export type RequestSegment = 'tools' | 'instructions' | 'conversation'

/** The place where a request starts to differ from the one before. */
export interface RequestChange {
  readonly segment: RequestSegment
  /**
   * The tool or section that was added, changed or removed; `messages` for the host's own messages.
   */
  readonly part: string
  /** Tokens of this request before that place. */
  readonly at: number
  /** In the conversation of a host that shows its history: the index of the first message that differs. */
  readonly message?: number
  /** The text that differs, where the log has it: only in the log of another agent. */
  readonly text?: ChangedText
}

/** The first line in which two texts differ, shortened around the difference. */
export interface ChangedText {
  /** Null for a part that the request before does not have. */
  readonly before: string | null
  /** Null for a part that this request does not have. */
  readonly now: string | null
  /** The number of the line, from 1. */
  readonly line: number
  /** The file whose text the line is in, such as that of the agent's memory; of a tool: the member of its definition. */
  readonly within?: string
}

/**
 * The cost of one request, and the part it shares with the one before, in tokens of the session's
 * tokenizer. Facts of the step: the prices are those known when it began.
 */
export interface StepCost {
  /** The provider whose order and prices these are, such as `anthropic`. */
  readonly provider: string
  /** The family of models whose facts were used; absent for facts that hold for all of the provider's. */
  readonly family?: string
  /** The order in which the provider reads: everything after a change is read again. */
  readonly order: readonly RequestSegment[]
  /**
   * The tokens of the request without deferred definitions. The conversation includes everything
   * that the workspace has put there since it began or was compacted, and `messages`.
   */
  readonly tokens: Readonly<Record<RequestSegment, number>>
  /** The host's own messages in `tokens.conversation`; 0 when it did not report them. */
  readonly messages: number
  /** Tokens of definitions in the request that the provider keeps out of the prompt. */
  readonly deferred: number
  /** The tools of a request that has more than the provider takes, and the most that it takes. */
  readonly tooMany?: { readonly tools: number; readonly most: number }
  /** The hash of the complete text of the instructions. */
  readonly instructions: ContentHash
  /** The tokens of the previous request; 0 for the first. */
  readonly previous: number
  /** The number of its tokens, from the start, that this request begins with, too. */
  readonly kept: number
  /** Null when this request begins with all of the previous one. */
  readonly changed: RequestChange | null
  /** The price of the request's prompt, in tokens at the full input price. */
  readonly price: number
  /** The part of the price that is due because the prefix was not kept. */
  readonly lost: number
}

/** The part of the request before that a provider has in its cache. */
export interface KeptPart extends Pick<StepCost, 'previous' | 'kept'> {
  /** The fewest tokens that the provider caches, where it caches nothing of this part. */
  readonly minimum?: number
}

/** The tokens of the next request before and after a change, and what is kept of the one before. */
export interface PricedChange {
  readonly before: number
  readonly after: number
  /** The same of its tools alone. */
  readonly tools: { readonly before: number; readonly after: number }
  readonly kept: KeptPart & Pick<StepCost, 'changed'>
}

/** The effect of removing tools from the request, in tokens of the session's tokenizer. */
export interface RemovalPrice {
  /** Tokens of the removed definitions: all later requests are shorter by these. */
  readonly tokensFreed: number
  /** Tokens after the first removed definition: the provider reads them again, once. */
  readonly prefixLost: number
}

/**
 * Tokens of one call, by the tokenizer of its session. For long texts they are estimated from the
 * beginning.
 */
export interface CallTokens {
  readonly arguments: number
  /** Of its data, or of its error message. */
  readonly result: number
}

/** The requests of a session together, in tokens of its tokenizer. */
export interface Spending {
  /** The number of requests. */
  readonly steps: number
  readonly tokens: number
  /** In tokens at the full input price. */
  readonly price: number
  /** The part of the price that is due because prefixes were not kept. */
  readonly lost: number
}

export const NO_SPENDING: Spending = { steps: 0, tokens: 0, price: 0, lost: 0 }

/** Returns the tokens of a request: its tools, its instructions and its conversation. */
export function requestTokens({ tokens }: Pick<StepCost, 'tokens'>): number {
  return tokens.tools + tokens.instructions + tokens.conversation
}

/** Returns the spending of one request. A request of which the log has no cost counts as a step only. */
export function spendingOf(cost: StepCost | undefined): Spending {
  if (cost === undefined) return { ...NO_SPENDING, steps: 1 }
  return { steps: 1, tokens: requestTokens(cost), price: cost.price, lost: cost.lost }
}

/** Adds spendings. */
export function addSpending(...all: readonly Spending[]): Spending {
  return all.reduce((sum, one) => ({
    steps: sum.steps + one.steps,
    tokens: sum.tokens + one.tokens,
    price: sum.price + one.price,
    lost: sum.lost + one.lost,
  }))
}

/** Returns the spending since an earlier moment. */
export function spendingSince(before: Spending, now: Spending): Spending {
  return {
    steps: now.steps - before.steps,
    tokens: now.tokens - before.tokens,
    price: now.price - before.price,
    lost: now.lost - before.lost,
  }
}
