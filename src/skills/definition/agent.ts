import type { ContentHash } from '../../kernel/content-hash.ts'

/**
 * What happens to a found tool of a skill that is not active: its first call activates the skill
 * through the usual gate, or the model is told which skill to load.
 */
export type OnFound = 'activate-on-call' | 'suggest'

/** A profile a session runs under: what it reads first and what it may use. */
export interface Agent {
  readonly name: string
  readonly displayName: string
  readonly description: string
  /** Base prompt in Markdown; `{{ NAME }}` are variables. */
  readonly prompt: string
  /** Skills active from the start, in this order. */
  readonly initialSkills: readonly string[]
  /** Skills it may load beside the initial ones; `'*'` for every skill of the catalog. */
  readonly skills: readonly string[] | '*'
  /** Patterns (`*` matches anything) of tools put before its model; absent means all. */
  readonly tools?: readonly string[]
  /** Versions it picks of shared tools, such as `search@^1`. */
  readonly versions: readonly string[]
  /** The mode sessions start in, such as `text` or `voice`. */
  readonly mode: string
  /** At most one skill, with its requirements, is active at a time. */
  readonly exclusive: boolean
  /** It starts with `tool_search` and finds its tools; absent for one that is shown all of them. */
  readonly discovery?: OnFound
  /** Patterns of tools that one that searches is shown from the start. */
  readonly pinned?: readonly string[]
  readonly hash: ContentHash
  readonly path?: string
}
