import type { ContentHash } from '../kernel/content-hash.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { ToolCategory } from '../registry/tool.ts'
import type { Lifetime } from '../skills/skill.ts'
import { EMPTY_BACKGROUND, type BackgroundState } from './background/background-state.ts'
import type { Cause } from './cause.ts'
import { EMPTY_CONSENT, type ConsentState } from './consent/consent-state.ts'
import {
  EMPTY_DISCOVERY,
  type DiscoveryState,
  type RememberedEntity,
} from './discovery/discovery-state.ts'
import type { Claim, ExposedTool, SentSection } from './event.ts'
import { EMPTY_INTENTS, type IntentState } from './intents/intent-state.ts'
import { EMPTY_FORK, type ForkState } from './fork/fork-state.ts'
import { OPEN_POLICY, type Policy } from './policy/policy.ts'
import type { StepCost } from './costs/step-cost.ts'
import type { ToolSource } from './tool-source.ts'

/** A claim with the entry that made it. */
export interface OpenClaim extends Claim {
  readonly since: number
}

/** An owner whose tools are registered, from the entry that opened it. */
export interface OpenSource {
  readonly source: ToolSource
  readonly owner: string
  readonly definition: ContentHash | null
  readonly claims: readonly OpenClaim[]
  /** Names it gave up while it stayed: a host that comes back does not bring them again. */
  readonly givenUp?: readonly string[]
  readonly lifetime: Lifetime
  /** Calls left of a `uses` lifetime; null without one. */
  readonly usesLeft: number | null
  readonly requested: boolean
  /** The turn its lifetime counts from; 1 before the first turn. */
  readonly turn: number
  /** The turn of the last call of one of its tools; `turn` before one. */
  readonly lastTurn: number
  readonly since: number
  readonly cause: Cause
}

/** An owner that was open once: where and why it went. */
export interface ClosedSource {
  readonly source: ToolSource
  readonly owner: string
  readonly seq: number
  readonly cause: Cause
}

export interface PendingConfirmation {
  readonly id: string
  readonly tool: string
  readonly hash: ContentHash
  readonly digest: ContentHash
  readonly principal: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** A denial holds for the same call until the next turn, or until it expires. */
  readonly consent: 'pending' | 'approved' | 'denied'
  /** The entry that asked, or that answered. */
  readonly seq: number
}

export interface OpenCall {
  readonly call: string
  readonly tool: string
  readonly source: ToolSource
  readonly owner: string
  readonly since: number
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number
  /** How long it may run, in milliseconds; null where nobody said. */
  readonly limitMs: number | null
}

export interface ToolUse {
  readonly tool: string
  readonly count: number
  readonly lastSeq: number
  readonly lastTurn: number
  /** How its last call that ended did so; null before one. */
  readonly lastResult: 'success' | 'error' | null
  /** Its uses before what the last call happened in (see `toldSince`); null when it had none. */
  readonly before: Pick<ToolUse, 'count' | 'lastResult'> | null
}

/**
 * The facts of a session, folded from its log. Lists, prompts and reasons are derived,
 * never kept here. Its size follows what is active, not the catalog.
 */
export interface WorkspaceState
  extends ConsentState, DiscoveryState, BackgroundState, IntentState, ForkState {
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
  /** In the order they were opened. */
  readonly open: readonly OpenSource[]
  readonly closed: readonly ClosedSource[]
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
  readonly confirmations: readonly PendingConfirmation[]
  readonly calls: readonly OpenCall[]
  readonly used: readonly ToolUse[]
  readonly broken: readonly {
    readonly skill: string
    readonly seq: number
    readonly message: string
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
  /** Calls started in this turn, by category of tool; those of meta-tools apart. */
  readonly callsThisTurn: Readonly<Record<ToolCategory, number>>
  /** Calls started in the session, but for those of meta-tools. */
  readonly callsInSession: number
}

export const EMPTY_STATE: WorkspaceState = {
  seq: -1,
  opening: null,
  policy: OPEN_POLICY,
  policySince: 0,
  open: [],
  closed: [],
  disabled: [],
  components: [],
  confirmations: [],
  calls: [],
  used: [],
  broken: [],
  turn: 0,
  toldSince: -1,
  toldEntities: [],
  summarisedAt: -1,
  step: 0,
  exposed: null,
  sections: [],
  cost: null,
  compacted: null,
  callsThisTurn: { retrieval: 0, action: 0, utility: 0 },
  callsInSession: 0,
  ...EMPTY_CONSENT,
  ...EMPTY_DISCOVERY,
  ...EMPTY_INTENTS,
  ...EMPTY_BACKGROUND,
  ...EMPTY_FORK,
}
