import { type Manifest, manifestTools, type TokenCounts } from './manifest.ts'
import { textHash } from '../../kernel/content-hash.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/**
 * A counter that looks a text up among those a manifest has counted, and counts only the others.
 * Throws `TOKENIZER_OTHER` when the manifest was counted by another tokenizer.
 */
export function manifestCounter(manifest: Manifest, counter: TokenCounter): TokenCounter {
  const { tokenizer } = manifest
  if (tokenizer !== counter.name) {
    throw new WorkspaceError(
      'TOKENIZER_OTHER',
      `The manifest was counted by ${tokenizer}, and this counter is ${counter.name}.`,
      { facts: { tokenizer, counter: counter.name }, hint: `Give a counter of ${tokenizer}.` },
    )
  }
  let known: ReadonlyMap<string, number> | undefined
  return {
    name: counter.name,
    count(text) {
      known ??= countsOf(manifest)
      return known.get(tokenDigest(text)) ?? counter.count(text)
    },
  }
}

function countsOf(manifest: Manifest): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const definitions = [...manifest.skills, ...manifestTools(manifest)]
  for (const { tokens } of definitions) {
    for (const [digest, count] of Object.entries(tokens.texts)) counts.set(digest, count)
  }
  return counts
}

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

/** Enough of a digest to know a text by, among the texts of one catalog. */
const DIGITS = 32

/** What a manifest calls a text by whose tokens it has counted. */
export function tokenDigest(text: string): string {
  const start = 'sha256:'.length
  return textHash(text).slice(start, start + DIGITS)
}
