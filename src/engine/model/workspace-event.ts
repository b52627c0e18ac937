import type { BackgroundEvent, CallEvent } from './call-event.ts'
import type { Cause } from './cause.ts'
import type { ConfirmationEvent, ConsentEvent } from './consent-event.ts'
import type { DiscoveryEvent, SentRules } from './discovery-event.ts'
import type { IntentEvent } from './intent-event.ts'
import type { MemoryEvent } from './memory-event.ts'
import type { Policy } from './policy.ts'
import type { SourceEvent } from './source-event.ts'
import type { StepCost } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'

/**
 * The number of the format of entries. Each stored entry says its own: one of an earlier format is
 * upgraded when it is read (`session/upgrade`), one of a later format is refused. Members and events
 * that come new do not raise it as long as they are optional or new: logs without them fold to what they
 * meant, and a version from before stops at the first event it does not know.
 */
export const LOG_FORMAT = 2

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
  | SourceEvent
  | CallEvent
  | BackgroundEvent
  | ConfirmationEvent
  | ConsentEvent
  /** What happened so far does not count for metrics any more. */
  | { readonly type: 'metrics.reset' }
  | ForkEvent
  | DiscoveryEvent
  | IntentEvent
  | MemoryEvent

export type EventType = WorkspaceEvent['type']

/** The event of one type, or of one of several. */
export type EventOf<Type extends EventType> = Extract<WorkspaceEvent, { readonly type: Type }>

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

/** What came before was copied from another session; from here on this one goes its own way. */
export interface ForkEvent {
  readonly type: 'session.forked'
  /** The session that begins here; the opening still names the one it was copied from. */
  readonly session: string
  /** The origin, and the last entry that was taken of it. */
  readonly from: { readonly session: string; readonly seq: number }
}
