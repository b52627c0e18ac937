import type { ContentHash } from '../kernel/content-hash.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { ErrorType } from '../registry/error-type.ts'
import type { Intent } from '../registry/intent.ts'
import type { Caller } from '../registry/tool-context.ts'
import type { ToolCategory } from '../registry/tool.ts'
import type { Lifetime, OnConflict } from '../skills/skill.ts'
import type { BackgroundEvent, BackgroundResult } from './background/background-event.ts'
import type { CallTokens } from './costs/call-tokens.ts'
import type { Cause } from './cause.ts'
import type { ConsentEvent } from './consent/consent-event.ts'
import type { ApprovalScope } from './consent/consent-state.ts'
import type { DiscoveryEvent, SentRules } from './discovery/discovery-event.ts'
import type { IntentEvent } from './intents/intent-event.ts'
import type { ForkEvent } from './fork/fork-event.ts'
import type { ExtractionResult, MemoryEntity, MemoryEvent } from './memory/memory-event.ts'
import type { Policy } from './policy/policy.ts'
import type { RemovalPrice } from './costs/removal-price.ts'
import type { StepCost } from './costs/step-cost.ts'
import type { ToolSource } from './tool-source.ts'

/**
 * The number of the format of entries. Each stored entry says its own: one of an earlier format is
 * upgraded when it is read (`session/upgrade`), one of a later format is refused. Members and events
 * that come new do not raise it as long as they are optional or new: logs without them fold to what they
 * meant, and a version from before stops at the first event it does not know.
 */
export const LOG_FORMAT = 2

/** A tool's name as its owner registered it. */
export interface Claim {
  /** The name it goes by; `owner__name` when it was moved out of the way of another. */
  readonly name: string
  /** The name in its definition. */
  readonly definedAs: string
  readonly hash: ContentHash
  readonly version: string
  readonly onConflict: OnConflict
  /** Whether the process that registered it had a handler for it. */
  readonly bound: boolean
  /** The host does not vouch for what the definition says of itself: its risk, that it need not ask. */
  readonly trusted?: false
}

/** One tool as a step put it before the model. */
export interface ExposedTool {
  readonly name: string
  readonly hash: ContentHash
  /** The provider keeps its definition out of the prompt until the conversation refers to it. */
  readonly deferred?: true
  /** Of a deferred one: the conversation refers to it. */
  readonly referenced?: true
}

/** A section of the prompt's conversation part, by the hash of its text. */
export interface SentSection {
  readonly id: string
  readonly hash: ContentHash
}

/** What has happened: facts, named noun then verb. Allowed or not was settled in `decide`. */
export type WorkspaceEvent =
  | {
      readonly type: 'session.opened'
      readonly format: typeof LOG_FORMAT
      readonly session: string
      readonly agent: string | null
      readonly catalog: ContentHash
      /** The tokenizer all counts of this session come from. */
      readonly tokenizer: string
      readonly principal: string | null
      readonly policy: Policy
    }
  /** The host took the session up with another policy. */
  | { readonly type: 'policy.changed'; readonly policy: Policy }
  | {
      readonly type: 'source.opened'
      readonly source: ToolSource
      /** Skill name, component key, or `global`. */
      readonly owner: string
      /** Hash of the owner's definition; null for `global`. */
      readonly definition: ContentHash | null
      readonly claims: readonly Claim[]
      readonly lifetime: Lifetime
      /** False when only another skill's requirement brought it. */
      readonly requested: boolean
    }
  /**
   * An active skill stays on other terms: one that a requirement had brought was asked for itself,
   * or one whose own lifetime ended is still required.
   */
  | {
      readonly type: 'source.kept'
      readonly owner: string
      readonly requested: boolean
      readonly lifetime: Lifetime
    }
  | {
      readonly type: 'source.closed'
      readonly source: ToolSource
      readonly owner: string
      /** Names given up; null when the owner leaves with all it has. */
      readonly names: readonly string[] | null
      /** For a skill: what its going frees and loses. Absent where nobody counts. */
      readonly price?: RemovalPrice
    }
  /** A resumed skill whose definition changed was accepted with its new one. */
  | {
      readonly type: 'source.accepted'
      readonly owner: string
      readonly definition: ContentHash
      readonly claims: readonly Claim[]
    }
  | { readonly type: 'tool.switched'; readonly tool: string; readonly enabled: boolean }
  | { readonly type: 'turn.begun'; readonly turn: number }
  | {
      readonly type: 'step.begun'
      readonly step: number
      readonly strategy: string
      readonly exposed: readonly ExposedTool[]
      /** Every conversation section as it is now: what differs from the last step is sent. */
      readonly sections: readonly SentSection[]
      /** Absent in logs from before it was counted. */
      readonly cost?: StepCost
    }
  /**
   * The host summarised the conversation. The sections given here are what the model has of the
   * workspace from now on; they were put in once, at the start of what follows.
   */
  | {
      readonly type: 'session.compacted'
      readonly sections: readonly SentSection[]
      /** The rules that were put in again; the model has no others now. */
      readonly rules: readonly SentRules[]
      /** Tokens of all that was put in. */
      readonly tokens: number
    }
  | { readonly type: 'component.updated'; readonly component: string; readonly state: JsonValue }
  | {
      readonly type: 'call.started'
      readonly call: string
      readonly tool: string
      readonly source: ToolSource
      readonly owner: string
      readonly hash: ContentHash
      /** Digest of the validated arguments; the arguments stay with the caller. */
      readonly digest: ContentHash
      readonly category: ToolCategory
      readonly caller: Caller
      /** The call whose handler made this one. */
      readonly within?: string
      /** The confirmation this call uses up. */
      readonly confirmation: string | null
      /** The remembered approval it runs by, when it needed one. */
      readonly approval?: Exclude<ApprovalScope, 'call'>
      /** How long it may run, in milliseconds. */
      readonly limitMs?: number
      /** What it should stay under, in milliseconds: reported, not enforced. Absent without a target. */
      readonly targetMs?: number
    }
  | {
      readonly type: 'call.ended'
      readonly call: string
      readonly tool: string
      readonly ok: boolean
      readonly error: ErrorType | null
      readonly durationMs: number
      readonly intents: readonly Intent[]
      /** Absent where nobody counts. */
      readonly tokens?: CallTokens
      /** They wait to be applied. Absent in logs from before there was an orchestrator. */
      readonly intentsWait?: true
      /** How often its handler ran, when that was more than once. */
      readonly attempts?: number
      /** What it came to; kept for calls in the background only. */
      readonly result?: BackgroundResult
      /** What the result was about, for working memory: at most five. Absent means none. */
      readonly entities?: readonly MemoryEntity[]
      /** What became of the extraction; absent for a failure, and a tool that extracts nothing. */
      readonly extraction?: ExtractionResult
    }
  | {
      readonly type: 'confirmation.asked'
      readonly id: string
      readonly tool: string
      readonly hash: ContentHash
      readonly digest: ContentHash
      readonly principal: string | null
      /** Wall clock, milliseconds since 1970. */
      readonly expiresAt: number
    }
  | { readonly type: 'confirmation.approved'; readonly id: string }
  | { readonly type: 'confirmation.denied'; readonly id: string }
  | { readonly type: 'confirmation.expired'; readonly id: string }
  /** A command was not carried out. */
  | {
      readonly type: 'command.refused'
      readonly command: string
      /** The skill, tool, component or confirmation it was about. */
      readonly subject: string
      readonly code: string
      readonly message: string
      readonly hint: string
    }
  /** The host, or an adapter, was not sure that this was meant; nothing was held up by it. */
  | {
      readonly type: 'warning.given'
      /** Stable, kebab-case. */
      readonly code: string
      /** The tool, skill or toolset it is about. */
      readonly subject: string
      readonly message: string
      readonly hint: string
    }
  /** A hook threw or hung; what ran before it was undone and nothing became available. */
  | {
      readonly type: 'activation.failed'
      readonly skill: string
      readonly hook: 'onActivate' | 'onDeactivate'
      /** The skill the command was about. */
      readonly wanted: string
      readonly message: string
      /** Hooks taken back, in the order they were. */
      readonly undone: readonly string[]
      /** Hooks that failed while taking back. */
      readonly undoFailed: readonly string[]
    }
  /** A resumed skill's `onActivate` failed in this process. */
  | { readonly type: 'skill.broken'; readonly skill: string; readonly message: string }
  | BackgroundEvent
  | ConsentEvent
  /** What happened so far does not count for metrics any more. */
  | { readonly type: 'metrics.reset' }
  | ForkEvent
  | DiscoveryEvent
  | IntentEvent
  | MemoryEvent

export type EventType = WorkspaceEvent['type']

/** An event with what caused it, before the log gave it a place. */
export interface Draft {
  readonly cause: Cause
  readonly event: WorkspaceEvent
}

/** One line of a session's log. Order is by `seq`, never by `at`. */
export interface Entry extends Draft {
  /** 0 is the opening. */
  readonly seq: number
  /** Wall clock when it was decided, milliseconds since 1970; for people only. */
  readonly at: number
}
