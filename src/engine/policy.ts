import type { ToolCategory } from '../registry/tool.ts'

/**
 * What the host allows a session. A fact of the log, since it decides what a model could do:
 * who looks later sees by the policy of that moment. Patterns are tool names in which
 * `*` matches anything. `deny` beats `ask`.
 */
export interface Policy {
  readonly mode: string
  readonly deny: readonly string[]
  readonly ask: readonly string[]
  /** Calls a turn may make, by category; absent means no limit. */
  readonly callsPerTurn: Partial<Readonly<Record<ToolCategory, number>>>
}

export const OPEN_POLICY: Policy = { mode: 'text', deny: [], ask: [], callsPerTurn: {} }
