import { evolveReported } from '../../../engine/evolve/evolve-conversation.ts'
import { EMPTY_REPORTED, type ReportedState } from '../../../engine/model/provider-report.ts'
import type { Entry } from '../../../engine/model/workspace-event.ts'
import { type StepUsage, stepUsage } from './step-usage.ts'
import type { ProviderFacts } from './provider-facts.ts'

/** The tokens that providers reported for the requests of a session, next to those that were predicted. */
export interface UsageReport extends Pick<ReportedState['reported'], 'total' | 'predicted'> {
  /** The requests with a report, in order. */
  readonly steps: readonly StepUsage[]
}

/**
 * Compares the costs of the requests of a session with what their providers reported.
 *
 * @param facts those of a provider that Loadout does not know
 */
export function sessionUsage(entries: readonly Entry[], facts: ProviderFacts): UsageReport {
  const tally = new UsageTally(facts)
  tally.add(entries)
  return tally.report()
}

/** The reports of a session, which grow with its log. */
export class UsageTally {
  readonly #facts: ProviderFacts
  readonly #steps: StepUsage[] = []
  #reported = EMPTY_REPORTED.reported

  /** @param facts those of a provider that Loadout does not know */
  constructor(facts: ProviderFacts) {
    this.#facts = facts
  }

  /** Counts the next entries of the log. */
  add(entries: readonly Entry[]): void {
    for (const { at, event } of entries) {
      if (event.type !== 'step.begun' && event.type !== 'step.reported') continue
      this.#reported = evolveReported(this.#reported, { at, event })
      const { last, before } = this.#reported
      if (event.type === 'step.reported' && last) {
        this.#steps.push(stepUsage(last, before, this.#facts))
      }
    }
  }

  report(): UsageReport {
    const { total, predicted } = this.#reported
    return { steps: [...this.#steps], total, predicted }
  }
}
