import type { ContentHash } from '../kernel/content-hash.ts'

/** How the tools of one topic are to be used: told to a model once, when it finds one of them. */
export interface TopicRules {
  /** The `topic` of the tools it is for. */
  readonly topic: string
  /** Markdown. */
  readonly text: string
  readonly hash: ContentHash
  /** The file it was read from. */
  readonly path?: string
}
