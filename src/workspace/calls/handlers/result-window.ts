import { requestTokens, type StepCost } from '../../../engine/model/step-cost.ts'

/** The part of a window that results may fill: the rest is for answers, and for what no limit holds back. */
const PART = 0.65

/** One result takes at most this part of what is left, so that many results never fill it. */
const SHARE = 3

/** Tokens that a model reads of a result in any case. */
const LEAST = 20

/**
 * Limits results so that the next request stays within the window of its model. It counts the last request, where its
 * adapter reported the conversation, and the results since.
 */
export class ResultWindow {
  readonly #cost: () => StepCost | null
  readonly #size: (cost: StepCost) => number
  #last: StepCost | null = null
  #read = 0

  /**
   * @param cost returns the cost of the last request
   * @param size returns the tokens of the window of its model
   */
  constructor(cost: () => StepCost | null, size: (cost: StepCost) => number) {
    this.#cost = cost
    this.#size = size
  }

  /** Returns the most tokens of the next result. */
  most(limit: number): number {
    const cost = this.#now()
    if (cost === null || cost.messages === 0) return limit
    const left = this.#size(cost) * PART - requestTokens(cost) - this.#read
    return Math.min(limit, Math.max(LEAST, Math.floor(left / SHARE)))
  }

  /** Notes what the model reads of a result. */
  note(tokens: number): void {
    this.#now()
    this.#read += tokens
  }

  #now(): StepCost | null {
    const cost = this.#cost()
    if (cost !== this.#last) this.#read = 0
    this.#last = cost
    return cost
  }
}
