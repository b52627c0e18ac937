import type { PromptRequest } from './prompt-request.ts'

/** What a step is begun with. */
export interface StepRequest extends PromptRequest {
  /**
   * Tokens of the messages that the request carries beside the workspace's own sections, so that
   * the price of a change counts them. Fewer than in the step before mean that history was cut.
   */
  readonly messageTokens?: number
}
