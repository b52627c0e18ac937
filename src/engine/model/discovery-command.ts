import type { FoundTool, SearchStop, SentRules } from './discovery-event.ts'

/** Orders about finding tools and about working memory. */
export type DiscoveryCommand =
  | {
      readonly type: 'search.start'
      /** The id of the call that searches. */
      readonly search: string
      readonly query: string
      readonly limit: number
    }
  /** Tell what a search offered, and enable those of its tools that may be called from now on. */
  | {
      readonly type: 'search.end'
      readonly search: string
      readonly query: string
      /** Best first; one that is forbidden, or that two owners claim, is not enabled. */
      readonly found: readonly FoundTool[]
      readonly skills: readonly string[]
      readonly confidence: number
      readonly route: 'lexical' | 'vectors' | 'fused'
      readonly latencyMs: number
      readonly stopped: SearchStop | null
      readonly degraded: string | null
    }
  | { readonly type: 'rules.send'; readonly topics: readonly SentRules[] }
  | { readonly type: 'memory.summarise'; readonly summary: string | null }
