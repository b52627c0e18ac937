import type { OwnedTool } from '../../engine/model/owned-tool.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

/** What a person agreed to once and for all: a tool of somebody's, with one definition, for one principal. */
export interface ApprovedTool extends OwnedTool {
  /** Who the sessions act for; null for those that act for nobody. */
  readonly principal: string | null
  readonly hash: ContentHash
}

/**
 * Where approvals are kept that hold beyond the session they were given in. It is asked at each call
 * that needs one, so what is removed holds nowhere any more. What it answers goes into the log; a
 * replay does not ask.
 *
 * A call whose question is rejected is treated as if the store had nothing.
 */
export interface ApprovalStore {
  has(tool: ApprovedTool): Promise<boolean>
  /** Resolves when it would be found after a crash, as far as the store outlives its process. */
  put(tool: ApprovedTool): Promise<void>
  /** Forget a tool with each of its definitions; false when there was nothing. */
  remove(tool: Omit<ApprovedTool, 'hash'>): Promise<boolean>
}
