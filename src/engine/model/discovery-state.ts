import type { FoundTool, SentRules } from './discovery-event.ts'
import type { ExtractionResult, MemoryEntity } from './memory-event.ts'

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
export interface RecentSearch {
  /** Normalised, so that other cases and spacing are the same query. */
  readonly query: string
  readonly empty: boolean
  readonly seq: number
}

/** An entity with the entry that told of it last, and when that was. */
export interface RememberedEntity extends MemoryEntity {
  readonly seq: number
  /** Wall clock of that entry, milliseconds since 1970; for people only. */
  readonly at: number
}

/** How the results of one tool were taken up into memory. */
export interface ExtractionState {
  readonly tool: string
  /** Results that were looked at. */
  readonly results: number
  readonly entities: number
  /** How many of the latest in a row gave nothing; those with nothing to tell are not counted. */
  readonly missed: number
  /** They go on giving nothing, which was reported when it began. */
  readonly drifting: boolean
  readonly last: ExtractionResult
  readonly lastSeq: number
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
