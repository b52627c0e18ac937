import type { StepCost } from '../../engine/model/step-cost.ts'
import type { PredictedChange } from './exposure/predict-change.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** One section for the end of the conversation; `text` is empty when the section is gone. */
export interface StepSection {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** What one request to the model carries. */
export interface WorkspaceStep {
  readonly step: number
  /** The log entry that holds what was exposed. */
  readonly seq: number
  /** The whole system text; the same bytes as long as the session's profile is the same. */
  readonly instructions: string
  /** Conversation sections that changed since the last step, to be appended in this order. */
  readonly conversation: readonly StepSection[]
  /** The tools to send, in order, under the names they go by. */
  readonly tools: readonly Tool[]
  /** Names among them that the provider is to keep out of the prompt. */
  readonly deferred: ReadonlySet<string>
  /**
   * Names of deferred tools that the conversation has to refer to from this step on, as the
   * provider does it: they were found, or their skill was loaded. Each is told once.
   */
  readonly references: readonly string[]
  /** Also in the log. */
  readonly cost: StepCost
}

/** What `beginStep` would return now, with the change it would make to the request before. */
export interface StepPreview extends Omit<WorkspaceStep, 'step' | 'seq'> {
  readonly predicted: PredictedChange
}
