import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { TokenCounter } from 'loadout'

/** The counter of the workspace and of the reports, so that their figures add up. */
export const counter: TokenCounter = {
  name: 'o200k_base',
  count: (text) => countTokens(text, { disallowedSpecial: new Set() }),
}
