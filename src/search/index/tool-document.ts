import type { JsonSchema } from '../../kernel/json.ts'

/** What a search looks through: one tool or one skill, as its author describes it. */
export interface ToolDocument {
  /** Unique among the documents of one index. */
  readonly name: string
  /** `tool` when absent. */
  readonly kind?: 'tool' | 'skill'
  readonly description: string
  /** Example requests that should find it. */
  readonly phrases?: readonly string[]
  readonly topic?: string
  readonly tags?: readonly string[]
  /** The skill, toolset or server it belongs to. */
  readonly owner?: string
  /** Its parameters' names and descriptions are searched, too. */
  readonly inputSchema?: JsonSchema
}
