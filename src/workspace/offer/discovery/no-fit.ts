import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import type { SearchPage } from './search-page.ts'

/** Characters of a query that are told back. */
const LONGEST = 120
/** Topics that are still told one by one. */
const FEW_TOPICS = 12

interface NoFit {
  readonly query: string
  /** Subjects of the tools that could be found. */
  readonly topics: readonly string[]
  readonly confidence: number
  readonly degraded?: string
}

/** The answer to a query that nothing fits: what to try, and that no tool may be needed. */
export function noFitPage({ query, topics, confidence, degraded }: NoFit): SearchPage {
  const told = sanitiseLine(query.slice(0, LONGEST).toWellFormed())
  const sentences = [
    `Nothing fits "${told}".`,
    'Try the action and the thing in a few specific words, such as "create page",',
    'or say it in other words.',
    topics.length > 0 &&
      topics.length <= FEW_TOPICS &&
      `Topics: ${topics.map(sanitiseLine).join(', ')}.`,
    'If no tool is needed, answer directly.',
  ]
  return {
    tools: [],
    skills: [],
    rules: '',
    instruction: sentences.filter((one) => one !== false).join(' '),
    confidence: Math.round(confidence * 100) / 100,
    shortened: [],
    ...(degraded !== undefined && { degraded }),
  }
}
