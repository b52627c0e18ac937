import type { BackgroundEvent, CallEvent } from './call-event.ts'
import type { Cause } from './cause.ts'
import type { ChildEvent, ParentLink, SessionAbove } from './child-event.ts'
import type { ConfirmationEvent, ConsentEvent } from './consent-event.ts'
import type { ConversationChange, SentPart } from './conversation-state.ts'
import type { DiscoveryEvent, SentRules } from './discovery-event.ts'
import type { FactEvent } from './fact-event.ts'
import type { IntentEvent } from './intent-event.ts'
import type { MemoryEvent } from './memory-event.ts'
import type { ReportEvent } from './provider-report.ts'
import type { Policy, Rule } from './policy.ts'
import type { SkillRegistrationEvent, SourceEvent } from './source-event.ts'
import type { AnswerEvent, RepeatEvent, RetryEvent, StepAttempt, StepRun } from './step-call.ts'
import type { StepCost } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'

/**
 * The version of the format of entries. Each stored entry has its own: an earlier one is upgraded
 * when it is read, a later one is refused. New optional members and new events do not change the
 * version: logs without them mean the same as before, and an earlier version of this library stops
 * at the first event it does not know.
 */
export const LOG_FORMAT = 2

/** One tool as a step exposed it to the model. */
export interface ExposedTool {
  readonly name: string
  readonly hash: ContentHash
  /** The provider keeps its definition out of the prompt until the conversation refers to it. */
  readonly deferred?: true
  /** Of a deferred tool: the conversation refers to it. */
  readonly referenced?: true
  /** The conversation adds it; it is not among the tools of the request. */
  readonly added?: true
  /** It is among the tools of the request, and the conversation removes it or defines it again. */
  readonly removed?: true
}

/** A part of the workspace's text in the conversation that the model has, by the hash of its text. */
export interface SentSection {
  readonly id: string
  readonly hash: ContentHash
  /** Absent in earlier logs. */
  readonly title?: string
}

/** The options of a prompt that a host chose, without its variables: they may be secret. */
export type PromptChoices = Readonly<Record<string, string | number | boolean>>

/** An agent that is not built on Loadout, as the file that it wrote names it. */
export interface ObservedAgent {
  readonly client: string
  /** Absent when the file does not have it. */
  readonly version?: string
  readonly folder?: string
}

/** A fact that has happened, named noun then verb. `decide` has settled that it is allowed. */
export type WorkspaceEvent =
  | {
      readonly type: 'session.opened'
      readonly format: typeof LOG_FORMAT
      readonly session: string
      readonly agent: string | null
      /** Its listing is stored under this hash, if there is a setup. */
      readonly catalog: ContentHash
      /**
       * The options that shape what the model reads, stored under this hash. Absent in a log that only
       * its workspace has, and in logs of earlier versions.
       */
      readonly setup?: ContentHash
      /** The agent whose session it is, when that is not built on Loadout: its log was read from a file of the agent. */
      readonly observed?: ObservedAgent
      /** A name of the project that the session was opened in; absent when its host gave none. */
      readonly project?: string
      /** The tokenizer of all counts in this session. */
      readonly tokenizer: string
      readonly principal: string | null
      readonly policy: Policy
      /** The session and the call that it was opened for; absent when it is no child session. */
      readonly parent?: ParentLink
      /** The sessions whose rules are in `policy.above`, in that order. Absent in logs of earlier versions. */
      readonly asOf?: readonly SessionAbove[]
    }
  /** The host has another catalog, or other options. */
  | {
      readonly type: 'catalog.taken'
      readonly catalog: ContentHash
      readonly setup: ContentHash
      /** Active skills that keep the definition they were activated with, until the new one is accepted. */
      readonly kept?: readonly string[]
    }
  /** The host set another policy, or a session above has another one (`asOf`). */
  | {
      readonly type: 'policy.changed'
      readonly policy: Policy
      readonly asOf?: readonly SessionAbove[]
    }
  | { readonly type: 'tool.switched'; readonly tool: string; readonly enabled: boolean }
  | {
      readonly type: 'turn.begun'
      readonly turn: number
      /** The message of the person, stored under this hash. Only in the log of another agent. */
      readonly said?: ContentHash
    }
  | {
      readonly type: 'step.begun'
      readonly step: number
      readonly strategy: string
      readonly exposed: readonly ExposedTool[]
      /** The request may have had other tools. Only in the log of another agent. */
      readonly incomplete?: true
      /**
       * All parts of the workspace's text at this step. Those that differ from the last step are sent, except
       * the instructions of a skill that a result of `loadSkill` has since.
       */
      readonly sections: readonly SentSection[]
      /**
       * The list of skills that the model was shown, stored under this hash: names, and descriptions or null, in its order.
       * Only in the log of another agent.
       */
      readonly listed?: ContentHash
      /** Absent in logs written before costs were counted. */
      readonly cost?: StepCost
      /** The options of its prompt that differ from the defaults. Absent when none does. */
      readonly prompt?: PromptChoices
      /** The only tools that the model may see and call. Absent without such a limit. */
      readonly activeTools?: readonly string[]
      /** Absent when the host did not show its history. */
      readonly conversation?: ConversationChange
      /** The run of a workflow engine that makes the step. Absent where the host names none. */
      readonly run?: StepRun
      /** Absent in the first attempt at a step, and where the host did not show its history. */
      readonly attempt?: StepAttempt
    }
  | AnswerEvent
  | RepeatEvent
  /**
   * The host summarised the conversation. From now on the model has these sections of the
   * workspace; they were put at the start of the new history, once.
   */
  | {
      readonly type: 'session.compacted'
      readonly sections: readonly SentSection[]
      /** The rules that were sent again; the model has no others now. */
      readonly rules: readonly SentRules[]
      /** Tokens of everything that was sent again. */
      readonly tokens: number
      /** Tokens of the last request before it. Only in the log of another agent. */
      readonly before?: number
      /** The sections in the parts that adapters send. Absent in earlier logs. */
      readonly parts?: readonly SentPart[]
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
  /** The host, or an adapter, doubts that something is intended. It happened nevertheless. */
  | {
      readonly type: 'warning.given'
      /** Stable, kebab-case. */
      readonly code: string
      /** The tool, skill or toolset it is about. */
      readonly subject: string
      readonly message: string
      readonly hint: string
    }
  /** A hook threw or timed out. The hooks before it were undone, and nothing became available. */
  | {
      readonly type: 'activation.failed'
      readonly skill: string
      /** `connect`: a server that the skill brings did not answer. */
      readonly hook: 'onActivate' | 'onDeactivate' | 'connect'
      /** The skill the command was about. */
      readonly wanted: string
      readonly message: string
      /** Hooks that were undone, in that order. */
      readonly undone: readonly string[]
      /** Hooks that failed while being undone. */
      readonly undoFailed: readonly string[]
    }
  /** A resumed skill's `onActivate` failed in this process. */
  | { readonly type: 'skill.broken'; readonly skill: string; readonly message: string }
  | SourceEvent
  | CallEvent
  | RetryEvent
  | BackgroundEvent
  | ConfirmationEvent
  | ConsentEvent
  | ReportEvent
  /** Metrics count from here. */
  | { readonly type: 'metrics.reset' }
  | ForkEvent
  | ImportEvent
  | DiscoveryEvent
  | IntentEvent
  | MemoryEvent
  | ChildEvent
  | SkillRegistrationEvent
  | FactEvent

export type EventType = WorkspaceEvent['type']

/** The event of one type, or of one of several. */
export type EventOf<Type extends EventType> = Extract<WorkspaceEvent, { readonly type: Type }>

/** An event with its cause, before it has a place in the log. */
export interface Draft {
  readonly cause: Cause
  readonly event: WorkspaceEvent
}

/** One line of a session's log. Order is by `seq`, never by `at`. */
export interface Entry extends Draft {
  /** 0 is the opening. */
  readonly seq: number
  /** Wall clock of the decision, milliseconds since 1970; for people only. */
  readonly at: number
  /** The seal of the user whose process wrote it. Only an entry that allows something has one. */
  readonly seal?: string
  /**
   * True in a process whose user did not write the entry: what it allows does not count there. Never stored: another
   * process decides for itself.
   */
  readonly unsealed?: true
}

/**
 * All entries before this one were imported from a text. What they allow ends here: approvals, open and
 * approved confirmations, rules that allow, and waiting intents. What they deny stays.
 */
export interface ImportEvent {
  readonly type: 'session.imported'
  /** The tools whose remembered approvals were dropped. */
  readonly tools: readonly string[]
  readonly confirmations: number
  readonly rules: readonly Rule[]
  /** Set when `allowed-tools` of skills pre-approved calls. */
  readonly allowedTools?: 'pre-approve'
  readonly intents: number
}

/**
 * All entries before this one were copied from another session; those after it are this session's
 * own.
 */
export interface ForkEvent {
  readonly type: 'session.forked'
  /** The session that starts here. The opening entry still names the original one. */
  readonly session: string
  /** The original session, and the last entry that was copied. */
  readonly from: { readonly session: string; readonly seq: number }
}
