import type { Entry } from '../../engine/model/workspace-event.ts'
import type { OpenSource } from '../../engine/model/source-event.ts'
import type { Outcome } from './outcome.ts'

/** An activation by another process, identified by its entry. */
interface ForeignActivation {
  readonly since: number
  /** Settles when its hook has run; null when the hook is not running. */
  running: Promise<void> | null
}

/**
 * Tracks the skills that other processes activated, and runs their `onActivate` in this process at the
 * first call of one of their tools.
 */
export class ResumedHooks {
  /** Created with the first: most sessions have none. */
  #held: Map<string, ForeignActivation> | undefined

  get #foreign(): Map<string, ForeignActivation> {
    this.#held ??= new Map()
    return this.#held
  }

  /** Notes the skills that are active when the session is opened: other processes activated them. */
  noteOpen(open: readonly OpenSource[]): void {
    for (const { source, owner, since } of open) {
      if (source === 'skill') this.#foreign.set(owner, { since, running: null })
    }
  }

  /** Returns true for an activation by another process whose hook has not run here. */
  awaits(skill: string, since: number): boolean {
    return this.#held?.get(skill)?.since === since
  }

  /** Notes the skills that other processes activated and deactivated. */
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
   * Runs the hook of an activation, once, by calling `resume`. Rejects when `resume` does. After that, or
   * after a refusal, the next call tries again.
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
