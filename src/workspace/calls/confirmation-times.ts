import type { PendingConfirmation } from '../../engine/model/confirmation-state.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Clock } from '../log/ports.ts'

/** Shared: most sessions wait for nobody. */
const NONE: ReadonlyMap<string, number> = new Map()

/**
 * How long each confirmation has left by the clock that never goes back. The wall clock, which a person
 * may set, is not enough to say that one still holds; that it says one is over is (`isExpired`).
 */
export class ConfirmationTimes {
  readonly #clock: Clock
  #noted: readonly PendingConfirmation[] = []
  #deadlines: ReadonlyMap<string, number> = NONE

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** See the confirmations of a new state, as soon as it is there. */
  note({ confirmations, latestAt }: Pick<WorkspaceState, 'confirmations' | 'latestAt'>): void {
    if (confirmations === this.#noted) return
    this.#noted = confirmations
    if (confirmations.length === 0) {
      this.#deadlines = NONE
      return
    }
    const known = this.#deadlines
    this.#deadlines = new Map(
      confirmations.map((one) => [one.id, known.get(one.id) ?? this.#deadlineOf(one, latestAt)]),
    )
  }

  /** The ids of those that are over. */
  outlived(): readonly string[] {
    if (this.#deadlines.size === 0) return []
    const now = this.#clock.monotonic()
    return [...this.#deadlines].flatMap(([id, deadline]) => (now >= deadline ? [id] : []))
  }

  /** What was over by the latest entry stays over, though the clock says an earlier time now. */
  #deadlineOf({ expiresAt }: PendingConfirmation, latestAt: number): number {
    return this.#clock.monotonic() + expiresAt - Math.max(this.#clock.now(), latestAt)
  }
}
