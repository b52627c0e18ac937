import type { ContentHash } from '../../kernel/content-hash.ts'
import type { ApprovalStore, ApprovedTool } from './approval-store.ts'

/** Approvals for the sessions of one process; gone with it. */
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
