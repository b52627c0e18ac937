import type { TokenCounter } from '../../kernel/token-counter.ts'

let loading: Promise<TokenCounter> | undefined

/** The counter sessions use unless told otherwise: `o200k_base`, loaded when first asked for. */
export function o200kCounter(): Promise<TokenCounter> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => ({
    name: 'o200k_base',
    // Marks such as <|endoftext|> in a skill's text are text, not tokens with a meaning.
    count: (text: string) => countTokens(text, { disallowedSpecial: new Set() }),
  }))
  return loading
}
