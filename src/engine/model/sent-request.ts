import type { ExposedTool } from './event.ts'
import type { StepCost } from './step-cost.ts'

/** What a state knows of the last request. */
export interface SentRequest {
  /** Null before the first step. */
  readonly exposed: readonly ExposedTool[] | null
  readonly cost: StepCost | null
}
