import type { ContentHash } from '../../kernel/content-hash.ts'
import type { ApprovalScope } from './consent-state.ts'
import type { OwnedTool } from './owned-tool.ts'

/** What the approval store says of a tool at the definition a call was checked against. */
export interface StoredApproval extends OwnedTool {
  readonly has: boolean
}

/** Orders about what a person agrees to. */
export type ConsentCommand =
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
