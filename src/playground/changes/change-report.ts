import type { ToolDifference } from '../../engine/standing/tool-difference.ts'
import type { DocumentDiff } from '../../render/prompt/diff-documents.ts'
import type { Outcome } from '../../workspace/commands/outcome.ts'
import { note, type Banner } from '../context/banner.ts'

type PromptChange = Pick<DocumentDiff, 'tokens' | 'prefixKept'>

/**
 * What a command came to, for the banner.
 *
 * @param done what was asked for, in words, such as `data-analysis is equipped`
 * @param document how the prompt differs from the one before
 */
export function changeReport(outcome: Outcome, done: string, document: PromptChange): Banner {
  if (!outcome.ok) return note('refused', `${outcome.message} ${outcome.hint}`.trim())
  return differenceReport('done', done, { tools: outcome.difference, document })
}

/** A banner of words, and of how tools and prompt differ from those before. */
export function differenceReport(
  tone: Banner['tone'],
  text: string,
  { tools, document }: { readonly tools: ToolDifference; readonly document: PromptChange },
): Banner {
  const { tokens, prefixKept } = document
  const { tokens: kept, ofTokens } = prefixKept
  return {
    tone,
    text,
    difference: tools,
    tokens,
    prefixKept: ofTokens === 0 ? null : kept / ofTokens,
  }
}
