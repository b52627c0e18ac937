import type { Entry } from '../../engine/model/event.ts'
import { fold } from '../../engine/evolve/fold.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { carriedOut } from './carried-out.ts'
import type { Outcome } from './outcome.ts'

interface Batch {
  readonly before: WorkspaceState
  readonly entries: readonly Entry[]
}

/**
 * What other processes appended and listeners here have yet to hear of. It is told batch by batch,
 * in the order of the log; only while somebody follows the session.
 */
export class ForeignEntries {
  readonly #surroundings: Surroundings
  readonly #notify: (outcome: Outcome, entries: readonly Entry[]) => void
  #followers = 0
  #batches: Batch[] = []

  constructor(
    surroundings: Surroundings,
    notify: (outcome: Outcome, entries: readonly Entry[]) => void,
  ) {
    this.#surroundings = surroundings
    this.#notify = notify
  }

  /** From now on; gives back what ends it. */
  gather(): () => void {
    this.#followers += 1
    return () => {
      this.#followers -= 1
    }
  }

  /** Entries that are about to be folded into a state. */
  note(before: WorkspaceState, read: readonly Entry[]): void {
    // A command that did not wait may have taken up some of them while the log was read.
    const entries = read.filter(({ seq }) => seq > before.seq)
    if (this.#followers > 0 && entries.length > 0) this.#batches.push({ before, entries })
  }

  tell(): void {
    for (const { before, entries } of this.#batches.splice(0)) {
      const outcome = carriedOut(before, fold(entries, before), this.#surroundings)
      this.#notify(outcome, entries)
    }
  }
}
