import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import type { ModeLimits, ModeTable } from '../../engine/model/modes.ts'
import type { Policy } from '../../engine/model/policy.ts'
import type { RedactionRules } from '../../kernel/redaction-rules.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { OnCallOutput, Principal } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { IntentDefinition } from '../../tools/intents/define-intent.ts'
import type { ApprovalStore } from '../calls/approval-store.ts'
import type { CallLimits, CallProgress } from '../calls/call-request.ts'
import type { Clock, Randomness } from '../log/clock.ts'
import type { EventLog } from '../log/event-log.ts'
import type { DiscoveryOptions } from '../offer/discovery/discovery-options.ts'
import type { ExposureName, ExposureStrategy } from '../offer/exposure/exposure-strategy.ts'
import type { ProviderFacts, ProviderName } from '../offer/exposure/provider-facts.ts'
import type { MetaToolName } from '../offer/meta-tools/meta-tool-name.ts'
import type { ScriptRunner } from '../offer/meta-tools/script-runner.ts'

/** How a workspace is opened. Only the catalog is required. */
export interface WorkspaceOptions<Services = unknown> {
  /** Shared by every session of the process. */
  readonly catalog: Catalog
  /** A profile, or its name in the catalog; without one, every skill may be loaded. */
  readonly agent?: string | Agent
  /** The conversation's id; a random one when absent. A known one is resumed. */
  readonly session?: string
  /** Where the session is kept; in memory when absent. */
  readonly log?: EventLog
  /** Who the session acts for; a session is resumed only for the principal that opened it. */
  readonly principal?: Principal
  /** The host's own objects, handed to handlers and hooks as they are. */
  readonly services?: Services
  readonly clock?: Clock
  /**
   * Where approvals are kept that hold beyond the session (`remember: 'digest'`). Without one there are
   * none: such an approval is rejected.
   */
  readonly approvals?: ApprovalStore
  /** `o200k_base` when absent; fixed for the life of the session. */
  readonly tokenCounter?: TokenCounter | Promise<TokenCounter>
  /** The agent's mode when absent. */
  readonly mode?: string
  /** The host's own modes, and what it changes in `voice` and `text`. */
  readonly modes?: ModeTable
  /** What is refused, asked about first, or not asked about; and what `allowed-tools` comes to. */
  readonly permissions?: Partial<Pick<Policy, 'deny' | 'ask' | 'allow' | 'allowedTools'>>
  /** Calls a turn may make, by category of tool, in whatever mode; those of the mode when absent. */
  readonly callsPerTurn?: ModeLimits['callsPerTurn']
  /**
   * How a change of tools reaches the model: a strategy, the name of one, or `auto` for the one
   * that a usual session costs least under. `auto` when a provider is named, else `active`.
   */
  readonly exposure?: ExposureName | 'auto' | ExposureStrategy
  /** Whose order and prices count: a provider by name, or its facts; `compatible` when absent. */
  readonly provider?: ProviderName | ProviderFacts
  /** Variables of the prompt; `loadout/node` picks them from an environment. */
  readonly variables?: VariableScope
  /**
   * Which meta-tools the model is offered: loading, reading files and unloading by default, and
   * listing when there are more than 50 skills to load.
   */
  readonly metaTools?: readonly MetaToolName[]
  /** What runs the scripts of skills, for the meta-tool `runSkillScript`. */
  readonly scripts?: ScriptRunner
  /** Whether tokens of arguments and results are counted, for metrics; true when absent. */
  readonly countCalls?: boolean
  /** How tools are found by search; absent without search, unless the agent asks for it. */
  readonly discovery?: DiscoveryOptions
  /** Components beside those of the catalog. */
  readonly components?: readonly ToolComponent[]
  /** Kinds of intents that tools may return, beside the built-in ones. */
  readonly intents?: readonly IntentDefinition[]
  /** Global tools beside those of the catalog. */
  readonly tools?: readonly Tool[]
  readonly limits?: Partial<CallLimits>
  /** Milliseconds one hook may take; 30,000 when absent. */
  readonly hookTimeoutMs?: number
  /**
   * What is hidden from all that is stored and shown; nothing when absent. `{}` hides what the names of
   * members and the beginnings of keys give away; `loadout/node` takes secrets from an environment.
   */
  readonly redact?: RedactionRules
  /** Entries between two snapshots of the session, where its log keeps them; 500 when absent. */
  readonly snapshotEvery?: number
  /** Look at the session without ever writing to it, or running a hook. */
  readonly readOnly?: boolean
  /** Take up what other processes append as it comes, as `follow()` does. */
  readonly follow?: boolean
  /** Look at the session as it was after this entry; read-only. */
  readonly at?: number
  /** Spreads the retries of calls; `Math.random` when absent. */
  readonly randomness?: Randomness
  onProgress?(progress: CallProgress): void
  /** Gets what the handlers of all calls yield before their results, after the call's own listener. */
  readonly onOutput?: OnCallOutput
}

/** Options whose session, log and token counter are settled. */
export interface SettledOptions<Services = unknown> extends WorkspaceOptions<Services> {
  readonly session: string
  readonly log: EventLog
  readonly tokenCounter: TokenCounter
}

/** Whether a session is opened only to be looked at: nothing is written, and no hook runs. */
export function isReadOnly({ readOnly, at }: Pick<WorkspaceOptions, 'readOnly' | 'at'>): boolean {
  return readOnly === true || at !== undefined
}
