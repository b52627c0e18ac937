import type { Entry } from '../engine/event.ts'
import type { OpenSource } from '../engine/state.ts'
import type { RunHook } from './run-hooks.ts'
import { thrownMessage } from './thrown-message.ts'

/**
 * Runs `onActivate` of skills that another process activated, lazily: at the first call of a
 * tool of theirs here. Knows an activation by the entry that opened it.
 */
export class ResumedHooks {
  readonly #run: RunHook
  /** Activations made elsewhere; the promise is there once the hook was started here. */
  readonly #foreign = new Map<number, Promise<string | null> | null>()

  constructor(run: RunHook) {
    this.#run = run
  }

  /** Note what other processes activated. */
  note(entries: readonly Entry[]): void {
    for (const { seq, event } of entries) {
      if (event.type === 'source.opened' && event.source === 'skill') this.#foreign.set(seq, null)
    }
  }

  /** Run the hook, once for an activation, if this process has not; what went wrong, or null. */
  async ensure({ owner, since }: OpenSource): Promise<string | null> {
    const known = this.#foreign.get(since)
    if (known === undefined) return null
    const settled =
      known ??
      this.#run({ skill: owner, hook: 'onActivate' }, false).then(() => null, thrownMessage)
    this.#foreign.set(since, settled)
    return settled
  }
}
