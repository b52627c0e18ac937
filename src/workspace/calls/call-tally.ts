import type { WorkspaceEvent } from '../../engine/model/event.ts'
import type { CallMetrics } from './call-metrics.ts'
import { durationsOf } from './durations-of.ts'

type Ended = Extract<WorkspaceEvent, { type: 'call.ended' }>

/** Counts some calls. Durations are kept one by one, so percentiles are exact. */
export class CallTally {
  readonly #failed = new Map<string, number>()
  readonly #refused = new Map<string, number>()
  readonly #durations: number[] = []
  #calls = 0
  #succeeded = 0
  #abandoned = 0
  #asked = 0
  #retries = 0
  #withTarget = 0
  #overTarget = 0
  #tokens = { calls: 0, arguments: 0, results: 0 }

  started(): void {
    this.#calls += 1
  }

  refused(code: string): void {
    add(this.#refused, code)
  }

  asked(): void {
    this.#asked += 1
  }

  abandoned(): void {
    this.#abandoned += 1
  }

  /** @param target what the call should have stayed under, in milliseconds */
  ended({ ok, error, durationMs, tokens, attempts = 1 }: Ended, target: number | null): void {
    if (ok) this.#succeeded += 1
    else add(this.#failed, error ?? 'INTERNAL')
    this.#durations.push(durationMs)
    this.#retries += attempts - 1
    if (target !== null) {
      this.#withTarget += 1
      if (durationMs > target) this.#overTarget += 1
    }
    if (tokens === undefined) return
    this.#tokens.calls += 1
    this.#tokens.arguments += tokens.arguments
    this.#tokens.results += tokens.result
  }

  metrics(): CallMetrics {
    const ended = this.#durations.length
    return {
      calls: this.#calls,
      running: this.#calls - ended - this.#abandoned,
      succeeded: this.#succeeded,
      failed: record(this.#failed),
      abandoned: this.#abandoned,
      refused: record(this.#refused),
      asked: this.#asked,
      retries: this.#retries,
      durationMs: durationsOf(this.#durations),
      withTarget: this.#withTarget,
      overTarget: this.#overTarget,
      tokens: { ...this.#tokens },
    }
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Names as own members, whatever they are. */
function record(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.assign(Object.create(null), Object.fromEntries(counts)) as Record<string, number>
}
