import {
  type BackgroundState,
  type CallState,
  EMPTY_BACKGROUND,
  EMPTY_CALLS,
} from './call-event.ts'
import type { Cause } from './cause.ts'
import {
  type ConfirmationState,
  type ConsentState,
  EMPTY_CONFIRMATIONS,
  EMPTY_CONSENT,
} from './consent-event.ts'
import { type DiscoveryState, EMPTY_DISCOVERY } from './discovery-event.ts'
import { EMPTY_INTENTS, type IntentState } from './intent-event.ts'
import type { RememberedEntity } from './memory-event.ts'
import { OPEN_POLICY, type Policy } from './policy.ts'
import { EMPTY_SOURCES, type SourceState } from './source-event.ts'
import type { StepCost } from './step-cost.ts'
import type { ExposedTool, SentSection } from './workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'

/** What being a fork leaves in a session. */
interface ForkState {
  /** The session it was forked from last, and the last entry taken of it; null for an original. */
  readonly forkedFrom: { readonly session: string; readonly seq: number } | null
}

const EMPTY_FORK: ForkState = { forkedFrom: null }

/**
 * The facts of a session, folded from its log. Lists, prompts and reasons are derived,
 * never kept here. Its size follows what is active, not the catalog.
 */
export interface WorkspaceState
  extends
    SourceState,
    CallState,
    BackgroundState,
    ConfirmationState,
    ConsentState,
    DiscoveryState,
    IntentState,
    ForkState {
  /** The last entry folded in; -1 before the opening. */
  readonly seq: number
  readonly opening: {
    readonly session: string
    readonly agent: string | null
    readonly catalog: ContentHash
    readonly tokenizer: string
    readonly principal: string | null
  } | null
  readonly policy: Policy
  /** The entry that set the policy. */
  readonly policySince: number
  readonly disabled: readonly {
    readonly tool: string
    readonly seq: number
    readonly cause: Cause
  }[]
  readonly components: readonly {
    readonly key: string
    readonly state: JsonValue
    readonly seq: number
  }[]
  readonly turn: number
  /**
   * What came after this entry stands in the conversation as it happened: the beginning of the turn,
   * or a summary after it; -1 before either.
   */
  readonly toldSince: number
  /** The entities as they were then; none before either. */
  readonly toldEntities: readonly RememberedEntity[]
  /** The entry that said last that the history was summarised; -1 before one. */
  readonly summarisedAt: number
  readonly step: number
  /** What the last step put before the model; null before the first. */
  readonly exposed: readonly ExposedTool[] | null
  /** The conversation sections the model has, as of the last step. */
  readonly sections: readonly SentSection[]
  /** What the last step cost; null before the first, and after one whose log did not say. */
  readonly cost: StepCost | null
  /** The conversation was summarised after the last step: the entry, and what was put in again. */
  readonly compacted: { readonly seq: number; readonly tokens: number } | null
}

export const EMPTY_STATE: WorkspaceState = {
  seq: -1,
  opening: null,
  policy: OPEN_POLICY,
  policySince: 0,
  disabled: [],
  components: [],
  turn: 0,
  toldSince: -1,
  toldEntities: [],
  summarisedAt: -1,
  step: 0,
  exposed: null,
  sections: [],
  cost: null,
  compacted: null,
  ...EMPTY_SOURCES,
  ...EMPTY_CALLS,
  ...EMPTY_CONFIRMATIONS,
  ...EMPTY_CONSENT,
  ...EMPTY_DISCOVERY,
  ...EMPTY_INTENTS,
  ...EMPTY_BACKGROUND,
  ...EMPTY_FORK,
}
