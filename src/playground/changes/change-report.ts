import type { DocumentDiff } from '../../render/prompt/diff-documents.ts'
import type { Outcome } from '../../session/outcome.ts'
import type { Banner } from '../context/ui-state.ts'

/**
 * What a command came to, for the banner.
 *
 * @param done what was asked for, in words, such as `data-analysis is equipped`
 * @param diff how the prompt differs from the one before
 */
export function changeReport(
  outcome: Outcome,
  done: string,
  { tokens, prefixKept: { tokens: kept, ofTokens } }: Pick<DocumentDiff, 'tokens' | 'prefixKept'>,
): Banner {
  if (!outcome.ok) return note('refused', `${outcome.message} ${outcome.hint}`.trim())
  return {
    tone: 'done',
    text: done,
    difference: outcome.difference,
    tokens,
    prefixKept: ofTokens === 0 ? null : kept / ofTokens,
  }
}

/** A banner of words alone. */
export function note(tone: Banner['tone'], text: string): Banner {
  return { tone, text, difference: null, tokens: null, prefixKept: null }
}
