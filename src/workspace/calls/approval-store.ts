import type { StoredApproval } from '../../engine/model/command.ts'
import type { ToolIdentity } from '../../engine/model/consent-event.ts'
import { isMeta } from '../../engine/model/source-event.ts'
import { toolIdentity } from '../../engine/standing/remembered-approval.ts'
import type { ToolRow } from '../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import { thrownMessage } from '../commands/thrown-message.ts'

/** What a person agreed to once and for all: a tool of somebody's, with one definition, for one principal. */
export interface ApprovedTool extends ToolIdentity {
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

/**
 * Ask the approval store about a tool that may need an approval. Undefined where there is no store, and
 * for a tool that nothing asks about. A store that fails has nothing, and a warning on record says so.
 */
export async function storedApproval(
  row: ToolRow | null,
  { approvals, store, dispatcher }: CallPipelineParts,
): Promise<StoredApproval | undefined> {
  const { opening, policy } = store.getState().state
  const mayAsk = row?.tool !== undefined && (row.tool.requiresConfirmation || policy.ask.length > 0)
  if (approvals === undefined || !mayAsk || row.status !== 'available') return undefined
  if (isMeta(row.owner)) return undefined
  const tool = toolIdentity(row)
  try {
    const principal = opening?.principal ?? null
    return { ...tool, has: await approvals.has({ ...tool, principal, hash: row.claim.hash }) }
  } catch (problem) {
    const warning = {
      type: 'warning.give' as const,
      code: 'approvals-unreadable',
      subject: row.claim.name,
      message: `The approval store could not be read: ${thrownMessage(problem)}`,
      hint: 'A person is asked as if nothing had been approved before.',
    }
    await dispatcher.dispatch(warning, { by: 'host' })
    return { ...tool, has: false }
  }
}
