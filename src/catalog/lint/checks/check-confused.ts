import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { LintItem } from './lint-item.ts'

/** A tool or skill that a search takes for another one. */
export interface ConfusedPair {
  readonly first: Pick<LintItem, 'kind'> & { readonly name: string }
  readonly second: Pick<LintItem, 'kind'> & { readonly name: string }
  /** What both of them say. */
  readonly words: readonly string[]
  /** Phrases of one that find the other first. */
  readonly phrases: readonly string[]
}

/** Words told of one pair. */
const MOST_WORDS = 6

/** Pairs that a search confuses, each told of the first of the two. */
export function checkConfused(
  pairs: readonly ConfusedPair[],
  fileOf: (one: ConfusedPair['first']) => string | undefined,
): readonly Diagnostic[] {
  return pairs.map(({ first, second, words, phrases }) => {
    const file = fileOf(first)
    const other = fileOf(second)
    const where = other === undefined || other === file ? '' : ` (${other})`
    const why = [
      words.length > 0 && `both say ${words.slice(0, MOST_WORDS).join(', ')}`,
      phrases.length > 0 && `"${phrases[0]}" finds the wrong one first`,
    ].filter((reason) => reason !== false)
    return {
      code: 'search-confuses',
      severity: 'warning',
      message: `A search hardly tells the ${first.kind} "${first.name}" from the ${second.kind} "${second.name}"${where}${why.length === 0 ? '' : `: ${why.join('; ')}`}.`,
      hint: 'Say in both descriptions what sets them apart, or give each phrases of its own.',
      ...(file !== undefined && { file }),
    }
  })
}
