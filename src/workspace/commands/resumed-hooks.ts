import type { Entry } from '../../engine/model/workspace-event.ts'
import type { OpenSource } from '../../engine/model/source-event.ts'
import type { Outcome } from './outcome.ts'

/** An activation made elsewhere, by the entry that opened it. */
interface ForeignActivation {
  readonly since: number
  /** There while its hook is on its way. */
  running: Promise<void> | null
}

/**
 * Knows the activations another process made, and has their `onActivate` run lazily: at the
 * first call of a tool of theirs here.
 */
export class ResumedHooks {
  /** Most sessions have none. */
  #held: Map<string, ForeignActivation> | undefined

  get #foreign(): Map<string, ForeignActivation> {
    this.#held ??= new Map()
    return this.#held
  }

  /** Note the skills that are active before anything is done here: other processes activated them. */
  noteOpen(open: readonly OpenSource[]): void {
    for (const { source, owner, since } of open) {
      if (source === 'skill') this.#foreign.set(owner, { since, running: null })
    }
  }

  /** Note what other processes activated and put away. */
  note(entries: readonly Entry[]): void {
    for (const { seq, event } of entries) {
      if (event.type === 'source.opened' && event.source === 'skill') {
        this.#foreign.set(event.owner, { since: seq, running: null })
      }
      if (event.type === 'source.closed' && event.source === 'skill') {
        this.#held?.delete(event.owner)
      }
    }
  }

  /**
   * Have the hook of an activation run by `resume`, once. Rejects when `resume` does; then, or
   * when it was refused, the next call tries again.
   */
  async ensure({ owner, since }: OpenSource, resume: () => Promise<Outcome>): Promise<void> {
    const foreign = this.#held?.get(owner)
    if (foreign?.since !== since) return
    foreign.running ??= this.#resumeOnce(owner, foreign, resume)
    await foreign.running
  }

  async #resumeOnce(
    owner: string,
    foreign: ForeignActivation,
    resume: () => Promise<Outcome>,
  ): Promise<void> {
    let settled = false
    try {
      const outcome = await resume()
      settled = outcome.ok || outcome.code === 'hook-failed'
    } finally {
      foreign.running = null
      if (settled && this.#foreign.get(owner) === foreign) this.#foreign.delete(owner)
    }
  }
}
