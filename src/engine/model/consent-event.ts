import type { ContentHash } from '../../kernel/content-hash.ts'
import type { ApprovalScope } from './consent-state.ts'
import type { OwnedTool } from './owned-tool.ts'

/** Facts about what people agreed to. */
export type ConsentEvent =
  /** A yes that holds for more than the call it was given for. */
  | ({
      readonly type: 'approval.remembered'
      readonly hash: ContentHash
      readonly scope: Exclude<ApprovalScope, 'call'>
      readonly confirmation: string
    } & OwnedTool)
  /** The approval store knew of one from another session: noted, since a replay cannot ask it. */
  | ({ readonly type: 'approval.recalled'; readonly hash: ContentHash } & OwnedTool)
  /** No remembered approval of the tool holds any more. */
  | ({ readonly type: 'approval.revoked' } & OwnedTool)
  /** A tool that was in quarantine is taken with the definition it has now. */
  | ({ readonly type: 'tool.accepted'; readonly hash: ContentHash } & OwnedTool)
  /** A call whose process ended without saying so, and which held up what waits for it. */
  | { readonly type: 'call.abandoned'; readonly call: string; readonly tool: string }
