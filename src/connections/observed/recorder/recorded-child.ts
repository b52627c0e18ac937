import type { Entry } from '../../../entries/index.ts'

/** The requests of a session together. */
export type ChildSpending = Extract<Entry['event'], { readonly type: 'child.ended' }>['spent']

/** A subagent that a session began. */
export interface RecordedChild {
  readonly session: string
  readonly agent: string | null
  readonly call: string | null
  /** The times of its first and of its last entry. */
  readonly from: number
  readonly until: number
  readonly spent: ChildSpending
}
export const NOTHING_SPENT: ChildSpending = { steps: 0, tokens: 0, price: 0, lost: 0 }

export function addSpent(one: ChildSpending, other: ChildSpending): ChildSpending {
  return {
    steps: one.steps + other.steps,
    tokens: one.tokens + other.tokens,
    price: one.price + other.price,
    lost: one.lost + other.lost,
  }
}
