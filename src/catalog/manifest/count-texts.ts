import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { TokenCounts } from './manifest.ts'
import { tokenDigest } from './token-digest.ts'

/** Counts what `price` has counted, and notes every text of it. */
export function countTexts(
  counter: TokenCounter,
  price: (noting: TokenCounter) => number,
): TokenCounts {
  const texts = new Map<string, number>()
  const total = price({
    name: counter.name,
    count(text) {
      const tokens = counter.count(text)
      texts.set(tokenDigest(text), tokens)
      return tokens
    },
  })
  return { total, texts: Object.fromEntries(texts) }
}
