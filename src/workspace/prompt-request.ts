import type { VariableScope } from '../kernel/variables.ts'
import type { PromptOptions } from '../render/prompt/prompt-input.ts'
import type { PromptFormat } from '../render/prompt/write-prompt.ts'

/** Which prompt to look at. */
export interface PromptRequest extends Partial<Omit<PromptOptions, 'metaTools'>> {
  /** `markdown` when absent: what adapters send. */
  readonly format?: PromptFormat
  /** Variables of this call; they win over those of the workspace. */
  readonly variables?: VariableScope
}
