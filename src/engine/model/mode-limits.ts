import type { ToolCategory } from '../../tools/definition/tool.ts'

/** How much a prompt says of a tool: its summary, or its whole description. */
export type PromptTier = 'summary' | 'full'

/**
 * What a mode allows a session, and what it aims at. A fact of the log as a part of the policy, so that
 * who looks later needs no table of the host's modes.
 *
 * Calls of meta-tools are neither counted nor limited: without them a model could not even put a
 * skill away.
 */
export interface ModeLimits {
  /** Patterns of the tools that may be called, beside meta-tools; absent means all. */
  readonly tools?: readonly string[]
  /** Calls a turn may make, by category; absent means no limit. */
  readonly callsPerTurn: Partial<Readonly<Record<ToolCategory, number>>>
  /** Calls a turn may make, of all categories together; absent means no limit. */
  readonly calls?: number
  /** Calls a session may make; absent means no limit. */
  readonly callsInSession?: number
  /** Milliseconds a call should stay under, by category: reported, not enforced. */
  readonly latencyMs: Partial<Readonly<Record<ToolCategory, number>>>
  readonly promptTier: PromptTier
}

/** The limits of a mode that nobody defined: none. */
export const OPEN_LIMITS: ModeLimits = { callsPerTurn: {}, latencyMs: {}, promptTier: 'full' }
