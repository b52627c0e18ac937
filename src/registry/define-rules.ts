import { contentHash } from '../kernel/content-hash.ts'
import type { TopicRules } from './rule.ts'

/** The rules of a topic, hashed over all but the file they were read from. */
export function defineRules({ topic, text, path }: Omit<TopicRules, 'hash'>): TopicRules {
  return Object.freeze({
    topic,
    text,
    hash: contentHash({ topic, text }),
    ...(path !== undefined && { path }),
  })
}
