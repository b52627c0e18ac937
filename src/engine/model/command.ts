import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'
import type { Intent } from '../../tools/intents/intent.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { Tool, ValueIssue } from '../../tools/definition/tool.ts'
import type { Lifetime, OnConflict } from '../../skills/definition/skill.ts'
import type { BackgroundResult } from './background-event.ts'
import type { CallTokens } from './call-tokens.ts'
import type { Cause } from './cause.ts'
import type { ConsentCommand, StoredApproval } from './consent-command.ts'
import type { DiscoveryCommand } from './discovery-command.ts'
import type { SentRules } from './discovery-event.ts'
import type { ExposedTool, SentSection } from './event.ts'
import type { DroppedIntent, TurnCommand } from './intent-command.ts'
import type { ExtractionResult, MemoryEntity } from './memory-event.ts'
import type { Policy } from './policy.ts'
import type { StepCost } from './step-cost.ts'
import type { ToolSource } from './tool-source.ts'
import type { WhereMatches } from '../standing/where-matches.ts'

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
