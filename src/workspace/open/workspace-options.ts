import type { Catalog } from '../../catalog/create/catalog.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import type { ModeLimits, ModeTable } from '../../engine/model/modes.ts'
import type { Policy } from '../../engine/model/policy.ts'
import type { RulePlaces } from '../../engine/model/stored-rule.ts'
import type { RedactionRules } from '../../kernel/redaction-rules.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { CallClient } from '../../tools/definition/call-client.ts'
import type { OnCallOutput, Principal } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { IntentDefinition } from '../../tools/intents/define-intent.ts'
import type { ApprovalStore } from '../calls/approval-store.ts'
import type { CallBudget } from '../calls/request/call-budget.ts'
import type { BlobStore } from '../calls/desk-parts.ts'
import type { LoadingCheck } from '../commands/loading-question.ts'
import type { CallLimits } from '../calls/request/call-limits.ts'
import type { CallProgress, HandlerError } from '../calls/request/call-request.ts'
import type { Clock, Randomness } from '../log/clock.ts'
import type { EventLog } from '../log/event-log.ts'
import type { DiscoveryOptions } from '../offer/discovery/discovery-options.ts'
import type { ExposureName, ExposureStrategy } from '../offer/exposure/exposure-strategy.ts'
import type { GivenProvider } from '../offer/exposure/provider-facts.ts'
import type { MetaToolName } from '../offer/meta-tools/meta-tool-name.ts'
import type { ScriptRunner } from '../offer/meta-tools/script-runner.ts'
import type { SkillRunner } from '../offer/meta-tools/skill-run.ts'

/** Options of a workspace. Only the catalog is required. */
export interface WorkspaceOptions<Services = unknown> {
  /** Shared by every session of the process. */
  readonly catalog: Catalog
  /** A profile, or its name in the catalog; without one, every skill may be activated. */
  readonly agent?: string | Agent
  /** The conversation's id; a random one when absent. A session known to the log is resumed. */
  readonly session?: string
  /**
   * Names the project in the first entry of a new session: `latest` of the command is the latest session of
   * its project. Give a digest, not a path: an exported session contains it.
   */
  readonly project?: string
  /** The log that stores the session; in memory when absent. */
  readonly log?: EventLog
  /** The principal the session acts for. Only the principal that opened a session can resume it. */
  readonly principal?: Principal
  /** The host's own objects, passed to handlers and hooks unchanged. */
  readonly services?: Services
  /**
   * Stores approvals that hold beyond the session (`remember: 'digest'`). Without it, such an approval is
   * rejected.
   */
  readonly approvals?: ApprovalStore
  /** Limits the calls of the principal over all sessions that are opened with the same budget. */
  readonly budget?: CallBudget
  /**
   * Stores the images, sounds and files of results. Without it, they go to the caller alone: the log keeps their
   * digest and size.
   */
  readonly blobs?: BlobStore
  /**
   * True to keep the result of each call in the log, redacted, so that a call that a workflow engine makes again after
   * a crash gets it; true when absent. False: such a call fails, and does not run again.
   */
  readonly keepResults?: boolean
  /**
   * True to repair arguments that the schema of a tool refuses and takes in another form: a list or an object as JSON
   * text, a number or a yes as text, null for what may be left out, `name` or `id` for the one argument that is missing.
   * The entry of the call names what was repaired, and rules judge both forms. False when absent; a tool may have its own.
   */
  readonly repairArguments?: boolean
  /**
   * True when no other process works on the session, as a workflow engine ensures: calls that the log shows as running
   * are then given up at once, and not after their time limit. False when absent.
   */
  readonly onlyProcess?: boolean
  /**
   * The effect of an action that the model calls again with the same arguments, after an attempt at the turn was thrown
   * away in which it succeeded: `run` runs it again, `recorded` returns its recorded result. `run` when absent. In both
   * cases the model reads which actions ran.
   */
  readonly repeatedActions?: 'run' | 'recorded'
  /** The questions that are asked before calls. */
  readonly confirmations?: ConfirmationOptions
  /** `o200k_base` when absent; fixed for the life of the session. */
  readonly tokenCounter?: TokenCounter | Promise<TokenCounter>
  /** The rules of the session: its mode, permissions, and calls per turn. */
  readonly policy?: PolicyOptions
  /** The limits of calls, hooks and snapshots. */
  readonly limits?: WorkspaceLimits
  /** Replacements for time and chance, for tests. */
  readonly testing?: TestingOptions
  /**
   * The way a change of tools reaches the model: a strategy, its name, or `auto` for the cheapest one for
   * a typical session. `auto` when a provider is given, else `active`.
   */
  readonly exposure?: ExposureName | 'auto' | ExposureStrategy
  /**
   * The provider whose order and prices count, by name, by name and model (`openai/gpt-5.4`), or by its
   * facts; `compatible` when absent.
   */
  readonly provider?: GivenProvider
  /** Variables of the prompt; `loadout/node` reads them from an environment. */
  readonly variables?: VariableScope
  /** The most tokens of the list of skills in the prompt, unless a request gives its own; 4,000 when absent. */
  readonly catalogBudget?: number
  /**
   * The meta-tools that the model is offered: loading, reading files and unloading by default, and listing
   * when there are more than 50 skills to load, and running scripts when there is a runner of scripts.
   */
  readonly metaTools?: readonly MetaToolName[]
  /** Runs the scripts of skills, for the meta-tool `runSkillScript`. */
  readonly scripts?: ScriptRunner
  /** Carries out skills with `context: fork` when a model loads them. Without it, they are loaded like any other. */
  readonly runSkill?: SkillRunner
  /** True to count the tokens of arguments and results, for metrics; true when absent. */
  readonly countCalls?: boolean
  /** Options of search; when absent, the session has no search unless the agent asks for it. */
  readonly discovery?: DiscoveryOptions
  /** Components in addition to those of the catalog. */
  readonly components?: readonly ToolComponent[]
  /** Intents that tools may return, in addition to the built-in ones. */
  readonly intents?: readonly IntentDefinition[]
  /** Global tools in addition to those of the catalog. */
  readonly tools?: readonly Tool[]
  /**
   * Rules for secrets, which are removed from everything that is stored or shown; none when absent. `{}`
   * recognises them by the names of members and the prefixes of keys; `loadout/node` reads secrets from an
   * environment.
   */
  readonly redact?: RedactionRules
  /** Opens the session without ever writing to it or running a hook. */
  readonly readOnly?: boolean
  /** Applies entries that other processes append, as `sessions.follow()` does. */
  readonly follow?: boolean
  /** Opens the session read-only, in its state after this entry. */
  readonly at?: number
  /** Functions for handlers that ask a person or a model, when the client of a call does not have them. */
  readonly client?: CallClient
  onProgress?(progress: CallProgress): void
  /** Gets the exceptions of handlers, complete. A model reads their name and the first line without secrets. */
  onHandlerError?(thrown: HandlerError): void
  /** Gets the values that handlers yield before their results, after the call's own listener. */
  readonly onOutput?: OnCallOutput
}

/** The rules of a host that a session has. */
type Permissions = Partial<Pick<Policy, 'deny' | 'ask' | 'allow' | 'allowedTools'>> & {
  /** The files that they were read from, as `openProject` finds them. `explain` names them; they are not in the log. */
  readonly places?: RulePlaces
}

/** The options that form the policy of a session. A member that is not given keeps its recorded value. */
export interface PolicyOptions {
  /** The agent's mode when absent. */
  readonly mode?: string | undefined
  /** The host's own modes, and its changes to `voice` and `text`. */
  readonly modes?: ModeTable | undefined
  /** Rules that deny calls, ask first, or allow calls; and the effect of `allowed-tools`. */
  readonly permissions?: Permissions | undefined
  /** Calls a turn may make, by category of tool, in every mode; the mode's own limits when absent. */
  readonly callsPerTurn?: ModeLimits['callsPerTurn']
  /**
   * The effect of the others on a session that the log has. `replace`, the default: they take the place of
   * what is recorded, for the host that the session belongs to. `tighten`, for a process that attaches to
   * the session of another host: only rules that deny or ask are added, and nothing else changes.
   */
  readonly onResume?: 'replace' | 'tighten'
}

/** Options of the questions that are asked before calls. */
export interface ConfirmationOptions {
  /**
   * True to keep the arguments of a call with the question about it, redacted, in the log: a person who answers
   * after a restart or in another process sees what is asked. False when absent.
   */
  readonly keepArguments?: boolean
  /**
   * Describes a skill that no model may activate without a person's consent; null for any other. It is asked for each
   * skill that `loadSkill` would activate. The text is shown with the question; its first line is the reason.
   */
  readonly loading?: LoadingCheck
}

/** Limits of a workspace. Each has a default. */
export interface WorkspaceLimits extends Partial<CallLimits> {
  /** Milliseconds one hook may take; 30,000 when absent. */
  readonly hookTimeoutMs?: number
  /** Entries between two snapshots of the session, if its log keeps them; 500 when absent. */
  readonly snapshotEvery?: number
}

/** Sources of time and chance, for tests. */
export interface TestingOptions {
  readonly clock?: Clock
  /** Spreads the retries of calls and of appends; `Math.random` when absent. */
  readonly randomness?: Randomness
}

/** Options whose session, log and token counter are settled. */
export interface SettledOptions<Services = unknown> extends WorkspaceOptions<Services> {
  readonly session: string
  readonly log: EventLog
  readonly tokenCounter: TokenCounter
}

/** Returns whether a session is opened read-only: nothing is written, and no hook runs. */
export function isReadOnly({ readOnly, at }: Pick<WorkspaceOptions, 'readOnly' | 'at'>): boolean {
  return readOnly === true || at !== undefined
}
