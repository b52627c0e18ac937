import { checkOptions, checkedText, type OptionTable } from '../../kernel/check-options.ts'
import type { BackgroundResult, RecordedContent } from './call-event.ts'
import type { Cause } from './cause.ts'
import type { EndedChild, ParentLink, SessionAbove } from './child-event.ts'
import type {
  ApprovalScope,
  CheckedInput,
  ElicitedQuestion,
  GivenAnswer,
  KeptArguments,
  PendingConfirmation,
  SettledConfirmation,
  ToolIdentity,
} from './consent-event.ts'
import type { ConversationChange, SentPart } from './conversation-state.ts'
import type { FoundTool, SearchStop, SentRules } from './discovery-event.ts'
import type { NotedFacts, SettledSkill } from './fact-event.ts'
import type { DroppedIntent, IntentFailure } from './intent-event.ts'
import type { ExtractionResult, MemoryEntity } from './memory-event.ts'
import type { FigureCommand } from './provider-report.ts'
import type { Policy, WhereMatches } from './policy.ts'
import type { LeftOut, RegisteredSkill, SyncedSource, ToolSource } from './source-event.ts'
import type { AnswerCommand, StepRun } from './step-call.ts'
import type { CallTokens, Spending, StepCost } from './step-cost.ts'
import type { ExposedTool, PromptChoices, SentSection } from './workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Lifetime } from '../../skills/definition/lifetime.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { Tool, ToolCategory } from '../../tools/definition/tool.ts'
import type { Intent } from '../../tools/intents/intent.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'

/** An order to change a session. `decide` settles whether it is carried out. */
export type Command =
  | {
      readonly type: 'session.open'
      readonly session: string
      readonly agent: string | null
      readonly tokenizer: string
      readonly principal: string | null
      readonly policy: Policy
      readonly setup?: ContentHash
      readonly project?: string
      readonly parent?: ParentLink
      readonly asOf?: readonly SessionAbove[]
    }
  /** Record the catalog and the options that the host has now. */
  | {
      readonly type: 'catalog.take'
      readonly catalog: ContentHash
      readonly setup: ContentHash
      readonly kept: readonly string[]
      /** Skills that the session has in addition to the catalog of the host. */
      readonly registers?: readonly (Pick<RegisteredSkill, 'skill' | 'definition' | 'trusted'> & {
        /** The definition that the catalog of the host has under that name. */
        readonly inCatalog: ContentHash | null
      })[]
      /** A skill that leaves the session. */
      readonly unregisters?: string
    }
  /** Take a catalog in a process that attached. Nothing is recorded: the host's own catalog counts. */
  | { readonly type: 'catalog.use' }
  | { readonly type: 'policy.set'; readonly policy: Policy }
  | {
      readonly type: 'skill.activate'
      /** An id, alias or display name. */
      readonly skill: string
      /** The skill's own lifetime when absent. */
      readonly lifetime?: Lifetime
      /** The text for the placeholders in its instructions, such as `$ARGUMENTS`. */
      readonly arguments?: string
      /** Deactivate conflicting skills instead of refusing. */
      readonly replace?: boolean
      /** Change nothing when it is active, instead of refusing. */
      readonly unlessActive?: boolean
    }
  | {
      readonly type: 'skill.deactivate'
      /** The only active skill when absent. */
      readonly skill?: string
      /** Also deactivate the skills that require it. */
      readonly cascade?: boolean
    }
  /** Accept the current definition of an active skill that changed. */
  | { readonly type: 'skill.accept'; readonly skill: string }
  /** Run the hook of a skill that another process activated, by the entry that opened it. */
  | { readonly type: 'skill.resume'; readonly skill: string; readonly since: number }
  | {
      readonly type: 'source.register'
      readonly source: typeof ToolSource.COMPONENT | typeof ToolSource.GLOBAL
      readonly owner: string
      readonly tools: readonly Tool[]
      readonly onConflict: OnConflict
      /** Its definitions may differ from the registered ones, as after a new build. */
      readonly replace?: boolean
      /** The host does not trust the definitions to describe themselves correctly. */
      readonly trusted?: false
      /** The first state of a component. */
      readonly state?: JsonValue
    }
  /** Replace all tools of a server by these. */
  | {
      readonly type: 'source.sync'
      readonly source: typeof ToolSource.SERVER
      readonly owner: string
      readonly tools: readonly Tool[]
      readonly onConflict: OnConflict
      /** The host does not trust the definitions to describe themselves correctly. */
      readonly trusted?: false
      /** The server's own text for a model. */
      readonly instructions?: string
      /** Its tools that are left out, or parts of them. */
      readonly leftOut?: readonly LeftOut[]
    }
  /** Record why a server could not be attached. */
  | { readonly type: 'source.fail'; readonly owner: string; readonly refusal: Refusal }
  | {
      readonly type: 'source.unregister'
      readonly source: SyncedSource | typeof ToolSource.GLOBAL
      readonly owner: string
      /** All of the owner's tools when absent. */
      readonly tool?: string
    }
  | { readonly type: 'tool.switch'; readonly tool: string; readonly enabled: boolean }
  | { readonly type: 'turn.begin' }
  | {
      readonly type: 'step.begin'
      readonly strategy: string
      readonly exposed: readonly ExposedTool[]
      readonly sections: readonly SentSection[]
      readonly cost?: StepCost
      readonly prompt?: PromptChoices
      readonly activeTools?: readonly string[]
      readonly conversation?: ConversationChange
      readonly run?: StepRun
    }
  | AnswerCommand
  /** The history was summarised. These sections were put at the start of the new history. */
  | {
      readonly type: 'session.compact'
      readonly sections: readonly SentSection[]
      readonly rules: readonly SentRules[]
      readonly tokens: number
      readonly parts: readonly SentPart[]
    }
  /** Record a warning. */
  | {
      readonly type: 'warning.give'
      readonly code: string
      readonly subject: string
      readonly message: string
      readonly hint: string
    }
  | { readonly type: 'component.update'; readonly component: string; readonly state: JsonValue }
  | {
      readonly type: 'call.start'
      readonly call: string
      /** The id that came with the call: a call of the same step with the same id is the same call. */
      readonly given?: string
      /** The id that the call has in the host's history, which has no result of it. */
      readonly resumes?: string
      /** The key of the history in the request that it answers, where the session has gone on since. */
      readonly history?: string
      /** True when its arguments come from an answer that was kept without its secrets. */
      readonly hasHidden?: boolean
      /** True to ask a person about the call, if one is asked, and to change nothing else. */
      readonly asksOnly?: boolean
      /** The reason why the call is refused: its answer was stopped. */
      readonly stopped?: string
      /** A name, or `owner/name`. */
      readonly tool: string
      /** The definition that the input was checked against; null when there was none. */
      readonly hash: ContentHash | null
      /**
       * The entry that opened the owner of that tool, because another owner may have the same
       * definition.
       */
      readonly since: number | null
      readonly input: CheckedInput
      /** The digest of the arguments of the model, where a person approved others: those are the input. */
      readonly asked?: ContentHash
      /** The repairs of the arguments, in words; the digest is that of the given ones. */
      readonly repaired?: readonly string[]
      readonly caller: Caller
      /** For a call through `call_tool`: its address, and the rules that match its own arguments. */
      readonly bridge?: { readonly tool: string; readonly where: WhereMatches }
      /** For a call by a tool's handler. */
      readonly within?: {
        /** The handler's own call, and whether that call has been answered. */
        readonly call: string
        readonly isOver: boolean
        /** The caller of the outermost call. */
        readonly origin: Caller
        /** The number of calls this one is nested in, and the limit. */
        readonly depth: number
        readonly mostDepth: number
      }
      /** Answer at once, and let the handler run on. */
      readonly background?: boolean
      /** The client answers it. */
      readonly client?: boolean
      /** The time to answer a new confirmation, in milliseconds. */
      readonly confirmationMs: number
      /** The arguments for a question about the call; absent when the host keeps none. */
      readonly kept?: KeptArguments
      /** The answer of the approval store; absent without a store. */
      readonly stored?: StoredApproval
      /** Its time limit in milliseconds; absent without one. */
      readonly limitMs?: number
      /** The budget of a session above that has no call left; absent when each of them has. */
      readonly above?: { readonly of: ToolCategory | 'turn' | 'session'; readonly limit: number }
      /** The principal of the session has no call left in its budget over all sessions. */
      readonly isSpent?: boolean
    }
  | ({
      readonly type: 'call.end'
      readonly call: string
      readonly tool: string
      readonly ok: boolean
      readonly error: ErrorType | null
      readonly durationMs: number
      readonly intents: readonly Intent[]
      readonly tokens?: CallTokens
      /** The files that it used, as its tool names them. */
      readonly paths?: readonly string[]
      /** Intents it returned that the session does not accept. */
      readonly dropped?: readonly DroppedIntent[]
      /** The number of times its handler ran, when more than one. */
      readonly attempts?: number
      /** The latency target in milliseconds, for a call that took longer. */
      readonly missedTargetMs?: number
      /** The result to keep, for a call in the background. */
      readonly result?: BackgroundResult
      /** The child sessions that end with it, and what each has spent in all. */
      readonly children?: readonly EndedChild[]
      /**
       * The result of its extraction; absent for a failed call, and for a tool that extracts
       * nothing.
       */
      readonly extracted?: {
        readonly result: ExtractionResult
        readonly entities: readonly MemoryEntity[]
        /** The problem, if there is one. */
        readonly message?: string
      }
    } & RecordedContent)
  | ConsentCommand
  | FigureCommand
  | DiscoveryCommand
  | TurnCommand
  | ChildCommand
  | ({ readonly type: 'fact.note' } & NotedFacts)
  | ({ readonly type: 'condition.settle' } & SettledSkill)

/** The command of one type, or of one of several. */
export type CommandOf<Type extends Command['type']> = Extract<Command, { readonly type: Type }>

/** A command with its cause, and the time and randomness for its entries. */
export interface Order {
  readonly command: Command
  readonly cause: Cause
  /** Wall clock, milliseconds since 1970. */
  readonly now: number
  /**
   * Confirmations that have expired by the monotonic clock of this process, whatever the wall clock
   * says.
   */
  readonly outlived?: readonly string[]
  /** 128 random bits in hexadecimal, for the one confirmation this command may ask for. */
  readonly id: string
}

/**
 * The answer of the approval store for a tool with the definition that a call was checked against.
 */
export interface StoredApproval extends ToolIdentity {
  readonly has: boolean
}

/** Commands about consent. */
type ConsentCommand =
  | ({
      readonly type: 'confirmation.approve'
      readonly id: string
      /** Remember the approval for more than this one call. */
      readonly remember?: Exclude<ApprovalScope, 'call'>
    } & Omit<GivenAnswer, 'words'>)
  | ({ readonly type: 'confirmation.elicit' } & ElicitedQuestion)
  | { readonly type: 'confirmation.deny'; readonly id: string; readonly words?: string }
  /** Revoke all remembered approvals of a tool. */
  | {
      readonly type: 'approval.revoke'
      /** A name, or `owner/name`, also of a tool that has left. */
      readonly tool: string
      /** The approval store had an approval, and has removed it. */
      readonly stored: boolean
    }
  /** Accept the current definition of a tool. */
  | {
      readonly type: 'tool.accept'
      readonly tool: string
      /** The definition that was reviewed. Refused when the tool has another one by now. */
      readonly hash?: ContentHash
    }
  /** Abandon a call whose process is gone. */
  | {
      readonly type: 'call.abandon'
      readonly call: string
      /** Refused until this many milliseconds after its start. */
      readonly afterMs: number
    }

/** Commands about finding tools and working memory. */
type DiscoveryCommand =
  | {
      readonly type: 'search.start'
      /** The id of the call that searches. */
      readonly search: string
      readonly query: string
      readonly limit: number
    }
  /**
   * Record the result of a search, and enable those of its tools that may be called from now on.
   */
  | {
      readonly type: 'search.end'
      readonly search: string
      readonly query: string
      /** Best first. Tools that are forbidden or ambiguous are not enabled. */
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

/** Commands with which a session records what its child sessions do. */
type ChildCommand =
  | {
      readonly type: 'child.open'
      readonly child: string
      readonly agent: string | null
      readonly call: string | null
      /** Its spending so far, with its own children. */
      readonly total: Spending
    }
  | ({ readonly type: 'child.end' } & EndedChild)
  /** Count a call of a child in the budgets of this session. */
  | {
      readonly type: 'child.call'
      readonly child: string
      readonly tool: string
      readonly category: ToolCategory
      readonly made: string
    }
  /** Ask the question of a child here as well. */
  | { readonly type: 'child.ask'; readonly child: string; readonly question: PendingConfirmation }
  /** Record that a child's question was answered there, or needs no answer any more. */
  | ({ readonly type: 'child.settle' } & SettledConfirmation)

/** Commands of an orchestrator. */
export type IntentCommand =
  /** Claim the host's handler for an intent that is due, so that no other orchestrator runs it. */
  | {
      readonly type: 'intent.take'
      readonly id: string
      readonly taker: string
      /** Milliseconds until the intent counts as interrupted. */
      readonly limitMs: number
    }
  /** Report the outcome of an intent that was taken, or that needs no handler. */
  | {
      readonly type: 'intent.settle'
      readonly id: string
      readonly taker: string
      /** Null when it was applied. */
      readonly failure: { readonly code: IntentFailure; readonly message: string } | null
    }

/**
 * Returns the command of an orchestrator. Throws `OPTIONS_INVALID` for any other command, such as one that sets a
 * policy.
 */
export function checkedIntentCommand(command: IntentCommand): IntentCommand {
  checkOptions(command, INTENT_COMMAND)
  checkedText(command.type, 'type')
  return command
}

const INTENT_COMMAND: OptionTable = {
  type: ['intent.take', 'intent.settle'],
  id: 'text',
  taker: 'text',
  limitMs: true,
  failure: true,
}

/** Commands about turns and intents. */
type TurnCommand = { readonly type: 'turn.end' } | IntentCommand

/** The reason a command was not carried out. */
export interface Refusal {
  /** Stable, kebab-case, for programs. For a call it is the status that `explain` gives. */
  readonly code: string
  readonly message: string
  readonly hint: string
  /** The advice that a model reads instead of the hint, where the hint is for the host. */
  readonly forModel?: string
  readonly facts: Readonly<Record<string, unknown>>
}
