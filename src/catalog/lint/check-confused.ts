import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { LintItem } from './lint-item.ts'

/** A tool or skill that a search takes for another one. */
export interface ConfusedPair {
  readonly first: Pick<LintItem, 'kind'> & { readonly name: string }
  readonly second: Pick<LintItem, 'kind'> & { readonly name: string }
  /** What both of them say. */
  readonly words: readonly string[]
}

/** Words told of one pair. */
const MOST_WORDS = 6

/** Pairs that a search confuses, each told of the first of the two. */
export function checkConfused(
  pairs: readonly ConfusedPair[],
  fileOf: (one: ConfusedPair['first']) => string | undefined,
): readonly Diagnostic[] {
  return pairs.map(({ first, second, words }) => {
    const file = fileOf(first)
    const other = fileOf(second)
    const where = other === undefined || other === file ? '' : ` (${other})`
    const shared = words.slice(0, MOST_WORDS).join(', ')
    return {
      code: 'search-confuses',
      severity: 'warning',
      message: `A search hardly tells the ${first.kind} "${first.name}" from the ${second.kind} "${second.name}"${where}${shared === '' ? '' : `: both say ${shared}`}.`,
      hint: 'Say in both descriptions what sets them apart, or give each phrases of its own.',
      ...(file !== undefined && { file }),
    }
  })
}
