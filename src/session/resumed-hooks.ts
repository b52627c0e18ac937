import type { Entry } from '../engine/event.ts'
import type { OpenSource } from '../engine/state.ts'
import type { Outcome } from './outcome.ts'

/**
 * Knows the activations another process made, by the entry that opened them, and has their
 * `onActivate` run lazily: at the first call of a tool of theirs here.
 */
export class ResumedHooks {
  /** Activations made elsewhere; the promise is there while the hook is on its way. */
  readonly #foreign = new Map<number, Promise<void> | null>()

  /** Note what other processes activated. */
  note(entries: readonly Entry[]): void {
    for (const { seq, event } of entries) {
      if (event.type === 'source.opened' && event.source === 'skill') this.#foreign.set(seq, null)
    }
  }

  /**
   * Have the hook of an activation run by `resume`, once. Rejects when `resume` does; then, or
   * when it was refused, the next call tries again.
   */
  async ensure({ since }: OpenSource, resume: () => Promise<Outcome>): Promise<void> {
    const known = this.#foreign.get(since)
    if (known === undefined) return
    const running = known ?? this.#resumeOnce(since, resume)
    this.#foreign.set(since, running)
    await running
  }

  async #resumeOnce(since: number, resume: () => Promise<Outcome>): Promise<void> {
    let settled = false
    try {
      const outcome = await resume()
      settled = outcome.ok || outcome.code === 'hook-failed'
    } finally {
      if (settled) this.#foreign.delete(since)
      else this.#foreign.set(since, null)
    }
  }
}
