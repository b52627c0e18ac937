import type { TokenCounter } from '../../kernel/token-counter.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { manifestTools } from './manifest-tools.ts'
import type { Manifest } from './manifest.ts'
import { tokenDigest } from './token-digest.ts'

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
