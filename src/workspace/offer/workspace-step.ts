import type { OptionsOf } from '../../kernel/check-options.ts'
import { RUN_OPTIONS, type StepRun } from '../../engine/model/step-call.ts'
import type { StepCost } from '../../engine/model/step-cost.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { HistoryMessage, StepMessage, ToolAddition } from './conversation/history-message.ts'
import { TRIM_OPTIONS, type TrimOptions } from './conversation/trim-history.ts'
import { WITHDRAW_TEXTS, type WithdrawTexts } from './conversation/withdraw-texts.ts'
import type { Carried } from './exposure/plan-exposure.ts'
import { PROMPT_OPTIONS, type PromptRequest } from './workspace-document.ts'

/** Options of a step. */
export interface StepRequest extends PromptRequest {
  /**
   * Tokens of the messages that the request carries in addition to the workspace's own sections, so that
   * the price of a change includes them. Fewer than in the step before mean that history was cut. Not
   * needed with `history`.
   */
  readonly messageTokens?: number
  /**
   * The ways of changing tools that the sender of the request can send. The planner picks from these only, so
   * that the ledger promises nothing that is not sent. None when absent; a strategy that the host chose by
   * name is used.
   */
  readonly carries?: readonly Carried[]
  /** The id of the model, such as `gpt-5.4`, of the provider of the session: facts depend on its family. */
  readonly model?: string
  /**
   * The conversation that the request carries, without the messages of the workspace. The step returns it
   * with those in their places, and the ledger compares it with that of the request before.
   */
  readonly history?: readonly HistoryMessage[]
  /** Leaves out the middle of a long history; nothing is left out by default. */
  readonly trim?: TrimOptions
  /** The withdrawal of texts that no longer apply from the conversation; `free` by default. See `WithdrawTexts`. */
  readonly withdraw?: WithdrawTexts
  /**
   * The only tools that the model may see and call in this step, by their names in the session; all available
   * ones when absent. Calls by handlers and by the host are not limited.
   */
  readonly activeTools?: readonly string[]
  /**
   * The run of a workflow engine that makes this step, for the log and for people. A request with the same history in another
   * run is another request.
   */
  readonly run?: StepRun
}

export const STEP_OPTIONS: OptionsOf<StepRequest> = {
  ...PROMPT_OPTIONS,
  messageTokens: 'number',
  carries: 'list',
  model: 'text',
  history: 'list',
  trim: TRIM_OPTIONS,
  withdraw: WITHDRAW_TEXTS,
  activeTools: 'list',
  run: RUN_OPTIONS,
}

/** One text for the end of the conversation. That of a part that is gone is a sentence that says so. */
export interface StepSection {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** The content of one request to the model. */
export interface WorkspaceStep {
  readonly step: number
  /** The log entry that records what was exposed. */
  readonly seq: number
  /** The complete system text; the same bytes as long as the session's profile is the same. */
  readonly instructions: string
  /**
   * The parts of the workspace's text that changed since the last step: one for each section, and one for each
   * active skill. Append them in this order. The instructions that `loadSkill` returned to the model are not
   * repeated.
   */
  readonly conversation: readonly StepSection[]
  /** The tools to send, in order, under their names in this session. */
  readonly tools: readonly Tool[]
  /** Names of the tools that the provider must keep out of the prompt. */
  readonly deferred: ReadonlySet<string>
  /**
   * Names of deferred tools that the conversation must refer to from this step on, in the provider's way:
   * they were found, or their skill was activated. Each is listed once.
   */
  readonly references: readonly string[]
  /**
   * The tools that enter and leave in the conversation at this step; none under other strategies than
   * `conversation`. With `history`, they are in `messages`, too.
   */
  readonly additions: readonly ToolAddition[]
  readonly removals: readonly string[]
  /** The conversation to send, in order; empty without `history`. */
  readonly messages: readonly StepMessage[]
  readonly exposure: {
    readonly strategy: string
    readonly provider: string
    /** The reason for the strategy, for people. */
    readonly why: string
  }
  /** Tokens of texts that no longer apply, which this request withdrew from the conversation. */
  readonly freed: number
  /** Also in the log. */
  readonly cost: StepCost
}
