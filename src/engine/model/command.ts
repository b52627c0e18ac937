import type { BackgroundResult } from './call-event.ts'
import type { Cause } from './cause.ts'
import type { ApprovalScope, ToolIdentity } from './consent-event.ts'
import type { FoundTool, SearchStop, SentRules } from './discovery-event.ts'
import type { IntentFailure } from './intent-event.ts'
import type { ExtractionResult, MemoryEntity } from './memory-event.ts'
import type { Policy, WhereMatches } from './policy.ts'
import type { ToolSource } from './source-event.ts'
import type { CallTokens, StepCost } from './step-cost.ts'
import type { ExposedTool, SentSection } from './workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Lifetime } from '../../skills/definition/lifetime.ts'
import type { OnConflict } from '../../skills/definition/skill.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Intent, IntentMoment } from '../../tools/intents/intent.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'
import type { ValueIssue } from '../../tools/schema/schema-source.ts'

/** A call's arguments after validation: their digest, or what is wrong with them. */
export type CheckedInput =
  | {
      readonly ok: true
      readonly digest: ContentHash
      /**
       * The rules of the policy it is decided by whose `where` holds for them; absent when nobody looked,
       * so that every such rule of `deny` and `ask` is met.
       */
      readonly where?: WhereMatches
    }
  | { readonly ok: false; readonly issues: readonly ValueIssue[] }

/** What someone wants to happen. Whether it does is settled in `decide`. */
export type Command =
  | {
      readonly type: 'session.open'
      readonly session: string
      readonly agent: string | null
      readonly tokenizer: string
      readonly principal: string | null
      readonly policy: Policy
    }
  | { readonly type: 'policy.set'; readonly policy: Policy }
  | {
      readonly type: 'skill.activate'
      /** An id, alias or display name. */
      readonly skill: string
      /** The skill's own lifetime when absent. */
      readonly lifetime?: Lifetime
      /** Put conflicting skills away instead of refusing. */
      readonly replace?: boolean
      /** Come to nothing when it is active, instead of being refused. */
      readonly unlessActive?: boolean
    }
  | {
      readonly type: 'skill.deactivate'
      /** The only active skill when absent. */
      readonly skill?: string
      /** Put away the skills that require it, too. */
      readonly cascade?: boolean
    }
  /** Take a changed definition of an active skill as it is now. */
  | { readonly type: 'skill.accept'; readonly skill: string }
  /** Run the hook of a skill that another process activated, by the entry that opened it. */
  | { readonly type: 'skill.resume'; readonly skill: string; readonly since: number }
  | {
      readonly type: 'source.register'
      readonly source: typeof ToolSource.COMPONENT | typeof ToolSource.GLOBAL
      readonly owner: string
      readonly tools: readonly Tool[]
      readonly onConflict: OnConflict
      /** Its definitions may differ from those registered before, as after a new build. */
      readonly replace?: boolean
      /** The host does not vouch for what the definitions say of themselves. */
      readonly trusted?: false
      /** The first state of a component. */
      readonly state?: JsonValue
    }
  | {
      readonly type: 'source.unregister'
      readonly source: typeof ToolSource.COMPONENT | typeof ToolSource.GLOBAL
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
    }
  /** The history was summarised, and these sections stand at the start of what follows. */
  | {
      readonly type: 'session.compact'
      readonly sections: readonly SentSection[]
      readonly rules: readonly SentRules[]
      readonly tokens: number
    }
  /** Put a warning on record. */
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
      /** A name, or `owner/name`. */
      readonly tool: string
      /** The definition the input was checked against; null when none was found. */
      readonly hash: ContentHash | null
      /** The entry that opened the owner whose tool that was: another may share the definition. */
      readonly since: number | null
      readonly input: CheckedInput
      readonly caller: Caller
      /** For a call that a tool's handler makes. */
      readonly within?: {
        /** The handler's own call, and whether that has its answer. */
        readonly call: string
        readonly isOver: boolean
        /** How many calls this one is within, and how many it may be. */
        readonly depth: number
        readonly mostDepth: number
      }
      /** It is answered at once, and its handler runs on. */
      readonly background?: boolean
      /** How long a confirmation asked for now can be given, in milliseconds. */
      readonly confirmationMs: number
      /** What the approval store knows; absent where there is none. */
      readonly stored?: StoredApproval
      /** How long it may run, in milliseconds; absent where nobody says. */
      readonly limitMs?: number
    }
  | {
      readonly type: 'call.end'
      readonly call: string
      readonly tool: string
      readonly ok: boolean
      readonly error: ErrorType | null
      readonly durationMs: number
      readonly intents: readonly Intent[]
      readonly tokens?: CallTokens
      /** What else it returned, and the session does not take. */
      readonly dropped?: readonly DroppedIntent[]
      /** How often its handler ran, when that was more than once. */
      readonly attempts?: number
      /** For a call in the background: what is kept of what it came to. */
      readonly result?: BackgroundResult
      /** What its extraction gave; absent for a failure, and a tool that extracts nothing. */
      readonly extracted?: {
        readonly result: ExtractionResult
        readonly entities: readonly MemoryEntity[]
        /** What is wrong, when something is. */
        readonly message?: string
      }
    }
  | ConsentCommand
  | { readonly type: 'metrics.reset' }
  | DiscoveryCommand
  | TurnCommand

/** The command of one type, or of one of several. */
export type CommandOf<Type extends Command['type']> = Extract<Command, { readonly type: Type }>

/** A command on its way: who gave it, and the time and randomness its entries will carry. */
export interface Order {
  readonly command: Command
  readonly cause: Cause
  /** Wall clock, milliseconds since 1970. */
  readonly now: number
  /**
   * Confirmations whose time is over by the clock of this process that never goes back, whatever the wall
   * clock says.
   */
  readonly outlived?: readonly string[]
  /** 128 random bits in hexadecimal, for the one confirmation this command may ask for. */
  readonly id: string
}

/** What the approval store says of a tool at the definition a call was checked against. */
export interface StoredApproval extends ToolIdentity {
  readonly has: boolean
}

/** Orders about what a person agrees to. */
type ConsentCommand =
  | {
      readonly type: 'confirmation.approve'
      readonly id: string
      /** Let it hold for more than this one call. */
      readonly remember?: Exclude<ApprovalScope, 'call'>
    }
  | { readonly type: 'confirmation.deny'; readonly id: string }
  /** Take every remembered approval of a tool back. */
  | {
      readonly type: 'approval.revoke'
      /** A name, or `owner/name`; a tool that left is known by either. */
      readonly tool: string
      /** The approval store had one, which it has no more. */
      readonly stored: boolean
    }
  /** Take a tool's changed definition as it is now. */
  | {
      readonly type: 'tool.accept'
      readonly tool: string
      /** The definition that was looked at; refused when it is another one by now. */
      readonly hash?: ContentHash
    }
  /** Give up a call whose process is gone. */
  | {
      readonly type: 'call.abandon'
      readonly call: string
      /** Milliseconds after its start. */
      readonly afterMs: number
    }

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

/** Orders of an orchestrator. */
export type IntentCommand =
  /** Be the only one to run the host's handler for an intent whose moment has come. */
  | {
      readonly type: 'intent.take'
      readonly id: string
      readonly taker: string
      /** Milliseconds until it counts as interrupted. */
      readonly limitMs: number
    }
  /** Say what came of an intent: of one that was taken, or of one that takes no handler. */
  | {
      readonly type: 'intent.settle'
      readonly id: string
      readonly taker: string
      /** Null when it was applied. */
      readonly failure: { readonly code: IntentFailure; readonly message: string } | null
    }

/** Orders about turns and intents. */
type TurnCommand = { readonly type: 'turn.end' } | IntentCommand

/** An intent that a tool returned and the session does not take, with what is wrong with it. */
export interface DroppedIntent {
  /** Stable: `intent-unknown`, `intent-moment`, `intent-payload` or `intent-too-many`. */
  readonly code: string
  readonly type: string
  readonly when: IntentMoment
  readonly message: string
  readonly hint: string
}

/** Why a command was not carried out. */
export interface Refusal {
  /** Stable, kebab-case, for programs; for a call it is the status `explain` gives. */
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly facts: Readonly<Record<string, unknown>>
}
