import { didYouMean } from '../../../kernel/did-you-mean.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { nearestNames } from '../../../kernel/nearest-names.ts'
import type { Catalog } from '../../create/catalog.ts'

/**
 * Rules that are never told, because no tool has their topic. Where no tool has any, they are for
 * tools that a program brings, and nothing is known of those.
 */
export function checkRules(
  { rules }: Pick<Catalog, 'rules'>,
  topics: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (topics.size === 0) return []
  return [...rules.values()]
    .filter(({ topic }) => !topics.has(topic))
    .map(({ topic, path }) => ({
      code: 'rules-unused',
      severity: 'warning',
      message: `There are rules for the topic "${topic}", and no tool has it: they are never told.`,
      hint: didYouMean(
        nearestNames(topic, topics, 2),
        'Give the tools this topic, or remove the rules.',
      ),
      ...(path !== undefined && { file: path }),
    }))
}
