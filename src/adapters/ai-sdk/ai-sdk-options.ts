import type { ToolSet } from 'ai'
import type { ApprovalScope } from '../../engine/model/consent-event.ts'
import type { PromptRequest } from '../../workspace/offer/workspace-document.ts'
import type { TrimOptions } from '../../workspace/offer/conversation/trim-history.ts'

/** Options of `forAiSdk`. All are optional. */
export interface AiSdkOptions {
  /**
   * Tools of the SDK that a provider runs, such as its web search. They are sent first, at every
   * step.
   */
  readonly tools?: ToolSet
  /** The prompt to send; `markdown` with all sections by default. */
  readonly prompt?: PromptRequest
  /** Leaves out the middle of a long conversation; nothing is left out by default. */
  readonly trim?: TrimOptions
  /**
   * True when a question to a person ends the run as an approval request of the SDK, which is the
   * default. Otherwise the call is answered with `CONFIRMATION_REQUIRED`, and the host calls
   * `workspace.approve` itself.
   */
  readonly approvals?: boolean
  /**
   * Scope of an approval; only the one call by default. `digest` needs a workspace with an approval
   * store.
   */
  readonly remember?: ApprovalScope
  /**
   * True when the messages of a call may have the role of the system, as the option of the same name of the SDK.
   * They are refused by default: a client that writes messages must not write instructions. Give it here, because
   * the settings of `forAiSdk` let the SDK send changes of tools, which have that role.
   */
  readonly allowSystemInMessages?: boolean
  /** True when a new message of the user begins a turn, which is the default. */
  readonly beginTurns?: boolean
}
