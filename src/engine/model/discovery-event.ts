import type { ContentHash } from '../../kernel/content-hash.ts'
import type { RemovalPrice } from './removal-price.ts'
import type { ToolSource } from './tool-source.ts'

/** A tool as a search found it. */
export interface FoundTool {
  /** Its address: the name it is called by, or `owner/name` when that name is another tool's. */
  readonly name: string
  readonly owner: string
  readonly source: ToolSource
  readonly hash: ContentHash
}

/** The rules of one topic, as they were told. */
export interface SentRules {
  readonly topic: string
  readonly hash: ContentHash
}

/** Why a search was answered with advice to stop; `aborted`: it was not answered at all. */
export type SearchStop = 'same-query' | 'empty-results' | 'flapping' | 'aborted'

/** Facts about finding tools. The names of the first three are those that traces know. */
export type DiscoveryEvent =
  | {
      readonly type: 'tool_discovery_start'
      /** The id of the call that searches. */
      readonly search: string
      readonly query: string
      readonly limit: number
    }
  | {
      readonly type: 'tool_discovery_result'
      readonly search: string
      readonly query: string
      /** The tools that were offered, best first; each is allowed, but not each callable at once. */
      readonly found: readonly FoundTool[]
      /** Ids of the skills that were offered for themselves. */
      readonly skills: readonly string[]
      /** From 0 to 1. */
      readonly confidence: number
      readonly route: 'lexical' | 'vectors' | 'fused'
      readonly latencyMs: number
      /** Null for a search that was answered in the usual way. */
      readonly stopped: SearchStop | null
      /** Why vectors were not used though they were wanted. */
      readonly degraded: string | null
    }
  /**
   * The found tools a model may call from now on, or, where calls of this turn are spent, from the
   * next one on. Finding one again makes it last anew.
   */
  | {
      readonly type: 'tools_enabled'
      readonly search: string
      readonly tools: readonly FoundTool[]
      /** From the start of the search until the tools could be called. */
      readonly latencyMs: number
      /**
       * Of the tools that earlier searches of the session enabled, the part that was called since,
       * from 0 to 1; null when there were none. One that was evicted and found again counts twice.
       */
      readonly hitRate: number | null
    }
  /** Found tools were forgotten: so many turns after they were found, or called, or for others. */
  | ({
      readonly type: 'tools_evicted'
      readonly tools: readonly string[]
      readonly reason: 'turns' | 'idle' | 'cap'
    } & RemovalPrice)
  /** The model was told rules, which it is not told again in this session unless they change. */
  | { readonly type: 'rules.sent'; readonly topics: readonly SentRules[] }
