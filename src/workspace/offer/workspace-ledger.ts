import type { PromptLedger } from '../../render/prompt/ledger/prompt-ledger.ts'
import type { RemovalEstimate } from '../../render/prompt/ledger/removal-estimates.ts'
import type { StepLedger } from '../../render/prompt/ledger/step-ledger.ts'
import type { ExposurePrice } from './exposure/plan-exposure.ts'

/** What a session costs: its prompt now, its last request, and what would change that. */
export interface WorkspaceLedger extends PromptLedger {
  readonly exposure: {
    readonly strategy: string
    readonly provider: string
    /** Why this strategy, for people. */
    readonly why: string
    /** What the planner compared, cheapest first; empty when the host chose. */
    readonly prices: readonly ExposurePrice[]
  }
  /** Null before the first step. */
  readonly lastStep: StepLedger | null
  readonly removals: readonly RemovalEstimate[]
}
