import type { ConversationReport } from './run-conversation.ts'

/** What a whole conversation came to. */
export interface Totals {
  readonly requests: number
  /** Of all prompts together. */
  readonly tokens: number
  /** The same in tokens at the full input price, after what the provider's cache had. */
  readonly price: number
  /** Tokens of requests that began the next one, of all that could have, from 0 to 1. */
  readonly kept: number
}

export function totalsOf({ turns }: Pick<ConversationReport, 'turns'>): Totals {
  const steps = turns.flatMap((turn) => turn.steps)
  const sum = (of: (step: (typeof steps)[number]) => number): number =>
    steps.reduce((total, step) => total + of(step), 0)
  const previous = sum((step) => step.previous)
  return {
    requests: steps.length,
    tokens: sum(({ tokens }) => tokens.definitions + tokens.instructions + tokens.conversation),
    price: Math.round(sum(({ price }) => price)),
    kept: previous === 0 ? 1 : sum(({ kept }) => kept) / previous,
  }
}
