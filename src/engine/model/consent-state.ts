import type { ContentHash } from '../../kernel/content-hash.ts'
import type { OwnedTool } from './owned-tool.ts'

/**
 * How long a person's yes holds: for the call that was asked about, for every call of the tool in this
 * session, or beyond it, wherever the approval store is asked. Always for one definition only.
 */
export type ApprovalScope = 'call' | 'session' | 'digest'

/** A yes that holds for more than one call. */
export interface Approval extends OwnedTool {
  readonly hash: ContentHash
  readonly scope: Exclude<ApprovalScope, 'call'>
  readonly seq: number
}

/**
 * The definitions a tool may have without being put in quarantine: those it had when a person agreed to
 * it, or, from a source the host does not trust, when it came first. It outlives the registration, so
 * that a tool cannot go and come back as another.
 */
export interface Pin extends OwnedTool {
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
