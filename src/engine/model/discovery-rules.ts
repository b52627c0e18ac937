import type { OnFound } from '../../skills/definition/agent.ts'

/** How long found tools are remembered. Without a limit in turns they stay until the cap. */
export interface FoundKeeping {
  /** Turns after the finding, that of the finding included. */
  readonly turns?: number
  /** Whole turns without a call of it. */
  readonly idleTurns?: number
  /** How many at most; those not found or called for longest go first. */
  readonly cap: number
}

/** What a session that searches goes by. */
export interface DiscoveryRules {
  readonly onFound: OnFound
  readonly keep: FoundKeeping
  /** Patterns of tools that are shown without being searched for. */
  readonly pinned: readonly string[]
}

/** Without a cap a long session would fill its requests: 50 definitions are some 8,000 tokens. */
export const DEFAULT_KEEPING: FoundKeeping = { cap: 50 }
