import type { Entry } from '../../entries/index.ts'

/** The requests of a session together. */
export type Spending = Extract<Entry['event'], { readonly type: 'child.ended' }>['spent']

/** A subagent that a session began. */
export interface RecordedChild {
  readonly session: string
  readonly agent: string | null
  readonly call: string | null
  /** The times of its first and of its last entry. */
  readonly from: number
  readonly until: number
  readonly spent: Spending
}
export const NO_SPENDING: Spending = { steps: 0, tokens: 0, price: 0, lost: 0 }

export function addSpending(one: Spending, other: Spending): Spending {
  return {
    steps: one.steps + other.steps,
    tokens: one.tokens + other.tokens,
    price: one.price + other.price,
    lost: one.lost + other.lost,
  }
}
