import type { ExtractionState, RememberedEntity } from './memory-event.ts'
import type { ToolSource } from './source-event.ts'
import type { RemovalPrice } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { OnFound } from '../../skills/definition/define-agent.ts'

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

/** A found tool that was not evicted, in the order of finding. */
export interface FoundToolState extends FoundTool {
  /** The entry that enabled it first. */
  readonly since: number
  /** The turn it was found in last; 1 before the first turn. */
  readonly turn: number
  /** The turn of its last call, or of the last finding when that is later. */
  readonly lastTurn: number
  /** The entry of its last call or finding: who has the lowest goes first under a cap. */
  readonly lastSeq: number
  readonly called: boolean
}

/** One search of this turn. */
interface RecentSearch {
  /** Normalised, so that other cases and spacing are the same query. */
  readonly query: string
  readonly empty: boolean
  readonly seq: number
}

/** What discovery leaves in a session; bounded, whatever a model does. */
export interface DiscoveryState {
  readonly found: readonly FoundToolState[]
  /** Tools enabled so far, and how many of them were called since: what the hit rate is made of. */
  readonly enabled: { readonly tools: number; readonly called: number }
  /** The latest searches of this turn, the last one last. */
  readonly searches: readonly RecentSearch[]
  /** How often the model put a skill away in this turn, the latest last. */
  readonly flaps: readonly { readonly skill: string; readonly times: number }[]
  /** Rules the model has, one hash a topic. */
  readonly rulesSent: readonly SentRules[]
  readonly memory: {
    /** At most ten, one a type and id, the newest last. */
    readonly entities: readonly RememberedEntity[]
    readonly summary: string | null
  }
  readonly extractions: readonly ExtractionState[]
}

export const EMPTY_DISCOVERY: DiscoveryState = {
  found: [],
  enabled: { tools: 0, called: 0 },
  searches: [],
  flaps: [],
  rulesSent: [],
  memory: { entities: [], summary: null },
  extractions: [],
}

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

/** Characters of a query that are kept: no question is longer, and a model's words must not fill a log. */
export const LONGEST_QUERY = 500

/**
 * A query as the loop guard compares it: two that differ in case, spacing or punctuation ask the
 * same thing, unless they are nothing else.
 */
export function normaliseQuery(query: string): string {
  const words = query.slice(0, LONGEST_QUERY).normalize('NFKC').toLowerCase()
  const plain = words
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')
  return plain === '' ? words.trim() : plain
}
