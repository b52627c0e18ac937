import type { TokenCounter } from '../../kernel/token-counter.ts'

let loading: Promise<TokenCounter> | undefined

/** Returns the default token counter of sessions, `o200k_base`; loads it on first use. */
export function o200kCounter(): Promise<TokenCounter> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => ({
    name: 'o200k_base',
    // Marks such as <|endoftext|> in a skill's text count as plain text, not as special tokens.
    count: (text: string) => countTokens(text, { disallowedSpecial: new Set() }),
  }))
  return loading
}
