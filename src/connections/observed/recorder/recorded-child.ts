import type { Cause, Entry } from '../../../entries/index.ts'

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

/** The entries about the subagents of a session. */
export class ChildEntries {
  /** The subagents that have not started, and those that have not ended. */
  #waiting: readonly RecordedChild[]
  #running: readonly RecordedChild[] = []
  readonly #write: (event: Entry['event'], cause: Cause, at: number) => void
  /** The spending of those that have ended. */
  spent: ChildSpending = NOTHING_SPENT

  constructor(
    children: readonly RecordedChild[],
    write: (event: Entry['event'], cause: Cause, at: number) => void,
  ) {
    this.#waiting = children
    this.#write = write
  }

  open(begins: (child: RecordedChild) => boolean): void {
    const begun = this.#waiting.filter(begins)
    if (begun.length === 0) return
    this.#waiting = this.#waiting.filter((one) => !begun.includes(one))
    this.#running = [...this.#running, ...begun]
    for (const { session: child, agent, call, from } of begun) {
      const cause: Cause = call === null ? { by: 'host' } : { by: 'model', call }
      this.#write({ type: 'child.opened', child, agent, call, before: NOTHING_SPENT }, cause, from)
    }
  }

  end(ends: (child: RecordedChild) => boolean): void {
    const ended = this.#running.filter(ends)
    if (ended.length === 0) return
    this.#running = this.#running.filter((one) => !ended.includes(one))
    for (const { session: child, spent, until } of ended) {
      this.spent = addSpent(this.spent, spent)
      this.#write({ type: 'child.ended', child, spent }, { by: 'host' }, until)
    }
  }
}
