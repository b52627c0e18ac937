import type { ToolIdentity } from '../../engine/model/consent-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

/** A tool that a person approved beyond one session: with one definition, for one principal. */
export interface ApprovedTool extends ToolIdentity {
  /** The principal the sessions act for; null for sessions without one. */
  readonly principal: string | null
  readonly hash: ContentHash
}

/**
 * Keeps approvals that outlast the session they were given in. Each call that needs an approval asks the
 * store, so an approval that is removed ends everywhere. The answer is written to the log; a replay does
 * not ask.
 *
 * When the store rejects, the call continues as if the store had no approval.
 */
export interface ApprovalStore {
  has(tool: ApprovedTool): Promise<boolean>
  /** Resolves when the approval would survive a crash, if the store outlives its process. */
  put(tool: ApprovedTool): Promise<void>
  /** Removes the approvals of a tool, for all its definitions; false when there were none. */
  remove(tool: Omit<ApprovedTool, 'hash'>): Promise<boolean>
}

/** Creates an approval store in memory, for the sessions of one process. */
export function createMemoryApprovals(): ApprovalStore {
  const approved = new Map<string, Set<ContentHash>>()
  return {
    has: async (tool) => approved.get(keyOf(tool))?.has(tool.hash) ?? false,
    put: async (tool) => {
      const key = keyOf(tool)
      approved.set(key, (approved.get(key) ?? new Set()).add(tool.hash))
    },
    remove: async (tool) => approved.delete(keyOf(tool)),
  }
}

function keyOf({ principal, source, owner, tool }: Omit<ApprovedTool, 'hash'>): string {
  return JSON.stringify([principal, source, owner, tool])
}
