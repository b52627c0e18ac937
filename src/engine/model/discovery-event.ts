import type { ExtractionState, RememberedEntity } from './memory-event.ts'
import type { ToolSource } from './source-event.ts'
import type { RemovalPrice } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { OnFound } from '../../skills/definition/define-agent.ts'

/** A tool found by a search. */
export interface FoundTool {
  /** Its address: the name it is called by, or `owner/name` when another tool has that name. */
  readonly name: string
  readonly owner: string
  readonly source: ToolSource
  readonly hash: ContentHash
}

/** The rules of one topic, by the hash of the text that was sent. */
export interface SentRules {
  readonly topic: string
  readonly hash: ContentHash
}

/** The reason a search was answered with advice to stop. `aborted`: it was not answered at all. */
export type SearchStop = 'same-query' | 'empty-results' | 'flapping' | 'aborted'

/** Events about finding tools. The names of the first three are those used in traces. */
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
      /**
       * The tools that were offered, best first. All are allowed, but not all can be called at
       * once.
       */
      readonly found: readonly FoundTool[]
      /** Ids of the skills that were offered themselves. */
      readonly skills: readonly string[]
      /** From 0 to 1. */
      readonly confidence: number
      readonly route: 'lexical' | 'vectors' | 'fused'
      readonly latencyMs: number
      /** Null for a search that was answered normally. */
      readonly stopped: SearchStop | null
      /** The reason vectors were not used although they were configured. */
      readonly degraded: string | null
    }
  /**
   * Found tools that the model may call from now on or, when no calls are left in this turn, from
   * the next turn on. A tool that is found again is kept for the full time again.
   */
  | {
      readonly type: 'tools_enabled'
      readonly search: string
      readonly tools: readonly FoundTool[]
      /** From the start of the search until the tools could be called. */
      readonly latencyMs: number
      /**
       * The part of the tools enabled by earlier searches of the session that has been called, from
       * 0 to 1; null without any. A tool that was evicted and found again counts twice.
       */
      readonly hitRate: number | null
    }
  /**
   * Found tools were forgotten: some turns after they were found or last called, or to make room.
   */
  | ({
      readonly type: 'tools_evicted'
      readonly tools: readonly string[]
      readonly reason: 'turns' | 'idle' | 'cap'
    } & RemovalPrice)
  /** Rules were sent to the model. They are not sent again in this session unless they change. */
  | { readonly type: 'rules.sent'; readonly topics: readonly SentRules[] }

/** A found tool that was not evicted, in the order of finding. */
export interface FoundToolState extends FoundTool {
  /** The entry that enabled it first. */
  readonly since: number
  /** The turn it was last found in; 1 before the first turn. */
  readonly turn: number
  /** The turn in which it was last called or found. */
  readonly lastTurn: number
  /**
   * The entry in which it was last called or found: the tool with the lowest is evicted first under
   * a cap.
   */
  readonly lastSeq: number
  readonly called: boolean
}

/** One search of this turn. */
interface RecentSearch {
  /** Normalised, so that case and spacing make no difference. */
  readonly query: string
  readonly empty: boolean
  readonly seq: number
}

/** The state of discovery in a session. Its size is limited, whatever a model does. */
export interface DiscoveryState {
  readonly found: readonly FoundToolState[]
  /**
   * The numbers of tools enabled so far, and of those that were called since: the parts of the hit
   * rate.
   */
  readonly enabled: { readonly tools: number; readonly called: number }
  /** The latest searches of this turn, latest last. */
  readonly searches: readonly RecentSearch[]
  /** The number of times the model deactivated a skill in this turn, latest last. */
  readonly flaps: readonly { readonly skill: string; readonly times: number }[]
  /** Rules the model has, one hash for each topic. */
  readonly rulesSent: readonly SentRules[]
  readonly memory: {
    /** At most ten, one for each type and id, newest last. */
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

/** The time found tools are kept. Without a limit in turns they stay until the cap. */
export interface FoundKeeping {
  /** Turns after the finding, including the turn of the finding. */
  readonly turns?: number
  /** Complete turns without a call of it. */
  readonly idleTurns?: number
  /** The number of tools at most. The least recently found or called ones are evicted first. */
  readonly cap: number
}

/** The discovery settings of a session that searches. */
export interface DiscoveryRules {
  readonly onFound: OnFound
  readonly keep: FoundKeeping
  /** Patterns of tools that are exposed without a search. */
  readonly pinned: readonly string[]
}

/** Without a cap a long session would fill its requests: 50 definitions are about 8,000 tokens. */
export const DEFAULT_KEEPING: FoundKeeping = { cap: 50 }

/**
 * Characters of a query that are kept: enough for any question, and a limit for what a model writes
 * into the log.
 */
export const LONGEST_QUERY = 500

/**
 * Returns a query as the loop guard compares it: case, spacing and punctuation make no difference.
 * A query of punctuation only stays unchanged.
 */
export function normaliseQuery(query: string): string {
  const words = query.slice(0, LONGEST_QUERY).normalize('NFKC').toLowerCase()
  const plain = words
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')
  return plain === '' ? words.trim() : plain
}
