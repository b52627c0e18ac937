import {
  type BackgroundState,
  type CallState,
  EMPTY_BACKGROUND,
  EMPTY_CALLS,
} from './call-event.ts'
import type { Cause } from './cause.ts'
import {
  type ChildState,
  type ExhaustedBudget,
  EMPTY_CHILDREN,
  type ParentLink,
  type SessionAbove,
} from './child-event.ts'
import {
  type ConfirmationState,
  type ConsentState,
  EMPTY_CONFIRMATIONS,
  EMPTY_CONSENT,
} from './consent-event.ts'
import { type DiscoveryState, EMPTY_DISCOVERY } from './discovery-event.ts'
import { type ConversationState, EMPTY_CONVERSATION } from './conversation-state.ts'
import { EMPTY_FACTS, type FactState } from './fact-event.ts'
import { EMPTY_INTENTS, type IntentState } from './intent-event.ts'
import type { RememberedEntity } from './memory-event.ts'
import { OPEN_POLICY, type Policy } from './policy.ts'
import { EMPTY_REPORTED, type ReportedState } from './provider-report.ts'
import { EMPTY_SOURCES, type SourceState } from './source-event.ts'
import { EMPTY_STEP_CALLS, type StepCallState } from './step-call.ts'
import type { StepCost } from './step-cost.ts'
import type { ExposedTool, ObservedAgent, PromptChoices, SentSection } from './workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { ToolCategory } from '../../tools/definition/tool.ts'

/** The origin of a forked session. */
interface ForkState {
  /**
   * The session it was last forked from, and the last entry copied from it; null for an original.
   */
  readonly forkedFrom: { readonly session: string; readonly seq: number } | null
}

const EMPTY_FORK: ForkState = { forkedFrom: null }

/**
 * The facts of a session, folded from its log. Lists, prompts and reasons are derived, and never
 * kept here. Its size depends on what is active, not on the catalog.
 */
export interface WorkspaceState
  extends
    SourceState,
    CallState,
    StepCallState,
    BackgroundState,
    ConfirmationState,
    ConsentState,
    DiscoveryState,
    IntentState,
    ForkState,
    ChildState,
    FactState,
    ReportedState {
  /** The last entry folded in; -1 before the opening. */
  readonly seq: number
  readonly opening: {
    readonly session: string
    readonly agent: string | null
    /** The catalog that the host took last, and its options. */
    readonly catalog: ContentHash
    readonly setup: ContentHash | null
    /** Active skills that keep another definition than that of the catalog. */
    readonly kept: readonly string[]
    readonly tokenizer: string
    readonly principal: string | null
    /** Null for a session that is no child. */
    readonly parent: ParentLink | null
    /** The agent whose session it is, when that is not built on Loadout. */
    readonly observed?: ObservedAgent
  } | null
  readonly policy: Policy
  /** The entry that set the policy. */
  readonly policySince: number
  /** The sessions whose rules are in `policy.above`, by `asOf` of the latest entry that has it; absent without one. */
  readonly policyAsOf?: readonly SessionAbove[]
  /** The budgets of the sessions above without a call left, where they are open in this process. Not in any entry. */
  readonly spentAbove?: readonly {
    readonly category: ToolCategory
    readonly budget: ExhaustedBudget
  }[]
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
   * The latest entry that began a turn or summarised the history; -1 before one. The model reads
   * what happened after it in the conversation.
   */
  readonly toldSince: number
  /** The entities of working memory at that entry. */
  readonly toldEntities: readonly RememberedEntity[]
  /** The latest entry that summarised the history; -1 before one. */
  readonly summarisedAt: number
  readonly step: number
  /** The exposure strategy of the last step; null before the first. */
  readonly strategy: string | null
  /** The tools that the last step exposed to the model; null before the first. */
  readonly exposed: readonly ExposedTool[] | null
  /** The only tools that the host lets the model see and call in the last step; null for all available ones. */
  readonly activeTools: { readonly seq: number; readonly names: readonly string[] } | null
  /** The options of the last step's prompt that differ from the defaults. */
  readonly prompt: PromptChoices
  /** The conversation sections that the model has since the last step. */
  readonly sections: readonly SentSection[]
  readonly conversation: ConversationState
  /** The cost of the last step; null before the first, and after one without a recorded cost. */
  readonly cost: StepCost | null
  /**
   * The history was summarised after the last step: the entry, and the tokens that were sent again.
   */
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
  strategy: null,
  exposed: null,
  activeTools: null,
  prompt: {},
  sections: [],
  conversation: EMPTY_CONVERSATION,
  cost: null,
  compacted: null,
  ...EMPTY_SOURCES,
  ...EMPTY_CALLS,
  ...EMPTY_STEP_CALLS,
  ...EMPTY_CONFIRMATIONS,
  ...EMPTY_CONSENT,
  ...EMPTY_DISCOVERY,
  ...EMPTY_INTENTS,
  ...EMPTY_BACKGROUND,
  ...EMPTY_FORK,
  ...EMPTY_CHILDREN,
  ...EMPTY_FACTS,
  ...EMPTY_REPORTED,
}
