import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { PromptOptions } from '../../render/prompt/document/prompt-input.ts'
import type { PromptFormat } from '../../render/prompt/forms/write-prompt.ts'

/** Which prompt to look at. */
export interface PromptRequest extends Partial<Omit<PromptOptions, 'metaTools'>> {
  /** `markdown` when absent: what adapters send. */
  readonly format?: PromptFormat
  /** Variables of this call; they win over those of the workspace. */
  readonly variables?: VariableScope
}
