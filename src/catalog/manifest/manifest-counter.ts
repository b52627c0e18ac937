import { type Manifest, manifestTools, type TokenCounts } from './manifest.ts'
import { textHash } from '../../kernel/content-hash.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/**
 * Creates a counter that uses the counts stored in a manifest, and counts only other texts. Throws
 * `TOKENIZER_OTHER` if the manifest was counted with another tokenizer.
 */
export function manifestCounter(manifest: Manifest, counter: TokenCounter): TokenCounter {
  const { tokenizer } = manifest
  if (tokenizer !== counter.name) {
    throw new WorkspaceError(
      'TOKENIZER_OTHER',
      `The manifest was counted with ${tokenizer}, but this counter is ${counter.name}.`,
      { facts: { tokenizer, counter: counter.name }, hint: `Use a counter for ${tokenizer}.` },
    )
  }
  let known: ReadonlyMap<string, number> | undefined
  return {
    name: counter.name,
    isUpperBound: (text) => counter.isUpperBound?.(text) === true,
    count(text) {
      known ??= new Map(
        [...manifest.skills, ...manifestTools(manifest)].flatMap(({ tokens }) =>
          Object.entries(tokens.texts),
        ),
      )
      return known.get(tokenDigest(text)) ?? counter.count(text)
    },
  }
}

/** Runs `price` and returns its result with the count of every text that it counted. */
export function countTexts(
  counter: TokenCounter,
  price: (recorder: TokenCounter) => number,
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

/** Digits of a digest that identify a text among the texts of one catalog. */
const DIGITS = 32

/** Returns the key under which a manifest stores the token count of a text. */
export function tokenDigest(text: string): string {
  const start = 'sha256:'.length
  return textHash(text).slice(start, start + DIGITS)
}
