import type { ToolSet } from 'ai'
import type { ApprovalScope } from '../../engine/model/consent-event.ts'
import type { PromptRequest } from '../../workspace/offer/workspace-document.ts'
import type { TrimOptions } from './trim-messages.ts'

/** How a workspace is put before the SDK. Nothing is required. */
export interface AiSdkOptions {
  /** Tools of the SDK that a provider runs, such as its web search: sent first, at every step. */
  readonly tools?: ToolSet
  /** The prompt that is sent; `markdown` and everything in it when absent. */
  readonly prompt?: PromptRequest
  /** Leave out the middle of a long conversation; nothing is left out when absent. */
  readonly trim?: TrimOptions
  /**
   * Whether a question to a person ends the run as an approval request of the SDK; true when
   * absent. Otherwise the call is answered with `CONFIRMATION_REQUIRED`, and the host calls
   * `workspace.approve` in its own way.
   */
  readonly approvals?: boolean
  /**
   * How long a yes to such a request holds; for the one call when absent. `digest` takes a workspace
   * with an approval store.
   */
  readonly remember?: ApprovalScope
  /** Whether a new message of the user begins a turn; true when absent. */
  readonly beginTurns?: boolean
}
