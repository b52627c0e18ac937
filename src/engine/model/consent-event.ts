import type { ToolSource } from './source-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

/** Facts about what people agreed to. */
export type ConsentEvent =
  /** A yes that holds for more than the call it was given for. */
  | ({
      readonly type: 'approval.remembered'
      readonly hash: ContentHash
      readonly scope: Exclude<ApprovalScope, 'call'>
      readonly confirmation: string
    } & ToolIdentity)
  /** The approval store knew of one from another session: noted, since a replay cannot ask it. */
  | ({ readonly type: 'approval.recalled'; readonly hash: ContentHash } & ToolIdentity)
  /** No remembered approval of the tool holds any more. */
  | ({ readonly type: 'approval.revoked' } & ToolIdentity)
  /** A tool that was in quarantine is taken with the definition it has now. */
  | ({ readonly type: 'tool.accepted'; readonly hash: ContentHash } & ToolIdentity)
  /** A call whose process ended without saying so, and which held up what waits for it. */
  | { readonly type: 'call.abandoned'; readonly call: string; readonly tool: string }

/**
 * How long a person's yes holds: for the call that was asked about, for every call of the tool in this
 * session, or beyond it, wherever the approval store is asked. Always for one definition only.
 */
export type ApprovalScope = 'call' | 'session' | 'digest'

/** A yes that holds for more than one call. */
export interface Approval extends ToolIdentity {
  readonly hash: ContentHash
  readonly scope: Exclude<ApprovalScope, 'call'>
  readonly seq: number
}

/**
 * The definitions a tool may have without being put in quarantine: those it had when a person agreed to
 * it, or, from a source the host does not trust, when it came first. It outlives the registration, so
 * that a tool cannot go and come back as another.
 */
export interface Pin extends ToolIdentity {
  /** Several where its owner offered several versions. */
  readonly hashes: readonly ContentHash[]
  /** It holds without an approval, too. */
  readonly untrusted: boolean
  readonly seq: number
}

/** What people agreed to in a session. */
export interface ConsentState {
  /** The latest last. */
  readonly approvals: readonly Approval[]
  readonly pins: readonly Pin[]
  /**
   * The latest wall clock that an entry carries, milliseconds since 1970: what was over by then stays over,
   * whatever a clock says later. Nothing else goes by it.
   */
  readonly latestAt: number
}

export const EMPTY_CONSENT: ConsentState = { approvals: [], pins: [], latestAt: 0 }

/**
 * A tool by who registers it and the name in its definition. What people agreed to is bound to these:
 * the name it goes by may be another tomorrow, and another owner's tool of that name is not meant.
 */
export interface ToolIdentity {
  readonly source: ToolSource
  readonly owner: string
  readonly tool: string
}

/** Whether two are one tool, whatever definitions they have. */
export function isSameTool(one: ToolIdentity, other: ToolIdentity): boolean {
  return one.tool === other.tool && one.owner === other.owner && one.source === other.source
}

/** A question to a person, whether one call may run, and what was answered. */
export type ConfirmationEvent =
  | {
      readonly type: 'confirmation.asked'
      readonly id: string
      readonly tool: string
      /** Whose tool it is. Absent in logs from before that was noted. */
      readonly source?: ToolSource
      readonly owner?: string
      readonly hash: ContentHash
      readonly digest: ContentHash
      readonly principal: string | null
      /** Wall clock, milliseconds since 1970. */
      readonly expiresAt: number
    }
  | { readonly type: 'confirmation.approved'; readonly id: string }
  | { readonly type: 'confirmation.denied'; readonly id: string }
  | { readonly type: 'confirmation.expired'; readonly id: string }

/** A question to a person about one very call: of this tool, with arguments of this digest. */
export interface PendingConfirmation {
  readonly id: string
  readonly tool: string
  /** Whose tool it is; absent when the log does not say. */
  readonly source?: ToolSource
  readonly owner?: string
  readonly hash: ContentHash
  readonly digest: ContentHash
  readonly principal: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** A denial holds for the same call until the next turn, or until it expires. */
  readonly consent: 'pending' | 'approved' | 'denied'
  /** The entry that asked, or that answered. */
  readonly seq: number
}

/** What people are asked, and what they answered of it that still counts. */
export interface ConfirmationState {
  readonly confirmations: readonly PendingConfirmation[]
}

export const EMPTY_CONFIRMATIONS: ConfirmationState = { confirmations: [] }
