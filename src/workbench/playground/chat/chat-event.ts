import type { LanguageModel } from 'ai'
import type { ApprovalScope } from '../../../entries/kit.ts'
import type { StepCost } from '../../../entries/plan.ts'

/** One thing that happens in a conversation, for a terminal, a pipe or a screen. Texts are not sanitised. */
export type ChatEvent =
  | { readonly type: 'turn.begun'; readonly text: string }
  | ChatStep
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'call.started'
      readonly call: string
      readonly tool: string
      readonly input: unknown
    }
  | {
      readonly type: 'call.ended'
      readonly call: string
      readonly tool: string
      readonly ok: boolean
      /** The result or the failure, as the model reads it. */
      readonly text: string
    }
  | {
      readonly type: 'skills.changed'
      readonly activated: readonly string[]
      readonly deactivated: readonly string[]
    }
  | ({ readonly type: 'asked' } & ChatQuestion)
  | {
      readonly type: 'answered'
      readonly question: string
      readonly tool: string
      readonly answer: ChatAnswer
    }
  | ChatNotice
  | { readonly type: 'turn.ended'; readonly status: TurnStatus; readonly steps: number }

/** One request to the model: what it saw, and the price of the request. */
export interface ChatStep {
  readonly type: 'step.begun'
  readonly step: number
  /** The entry of the log that records it. */
  readonly seq: number
  /** The names of the tools, in order. */
  readonly tools: readonly string[]
  readonly strategy: string
  /** Tokens of the request. */
  readonly tokens: number
  /** Null after a step whose cost is not recorded. */
  readonly cost: StepCost | null
}

/** A sentence about the model or its server, and what to do. */
export interface ChatNotice {
  readonly type: 'notice'
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** A call that a person is asked about. */
export interface ChatQuestion {
  /** The id of the question in the session. */
  readonly question: string
  readonly call: string
  readonly tool: string
  readonly input: unknown
  readonly risk: string
  /** The reason of the question and the preview of the call; empty when nothing is known. */
  readonly about: string
}

/** The answer to a question: the scope of a yes, or `no`. */
export type ChatAnswer = ApprovalScope | 'no'

/** The end of a turn. */
export type TurnStatus =
  /** The model answered. */
  | 'done'
  /** A question is open and nobody answered it. */
  | 'waiting'
  /** The person ended the turn. */
  | 'interrupted'
  /** The loop stopped: too many steps, or too many failed calls in a row. */
  | 'stopped'
  /** There is no complete answer. */
  | 'failed'

/** A model that answers, with what is known about it. */
export interface ChatModel {
  readonly model: Exclude<LanguageModel, string>
  /** For people, such as `qwen3 at localhost:11434`. */
  readonly name: string
  /** The server program, such as `vllm`; null when it is not known. */
  readonly server: string | null
  /** Tokens of a request at most; null when it is not known. */
  readonly context: number | null
  /** Returns what was noticed since it was last called. */
  readonly notices?: () => readonly ChatNotice[]
  /** Called before a message is sent. Returns the message to send. */
  readonly begin?: (text: string) => Promise<string>
}
