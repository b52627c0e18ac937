import type { StoredApproval } from '../../engine/model/consent-command.ts'
import { ownedToolOf } from '../../engine/standing/owned-tool-of.ts'
import { isMeta } from '../../engine/model/meta-owner.ts'
import type { ToolRow } from '../../engine/standing/tool-row.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import { thrownMessage } from '../commands/thrown-message.ts'
import type { SessionStore } from '../commands/session-store.ts'

interface ApprovalParts {
  readonly approvals: ApprovalStore | undefined
  readonly store: SessionStore
  readonly dispatcher: Dispatcher
}

/**
 * Ask the approval store about a tool that may need an approval. Undefined where there is no store, and
 * for a tool that nothing asks about. A store that fails has nothing, and a warning on record says so.
 */
export async function storedApproval(
  row: ToolRow | null,
  { approvals, store, dispatcher }: ApprovalParts,
): Promise<StoredApproval | undefined> {
  const { opening, policy } = store.getState().state
  const mayAsk = row?.tool !== undefined && (row.tool.requiresConfirmation || policy.ask.length > 0)
  if (approvals === undefined || !mayAsk || row.status !== 'available') return undefined
  if (isMeta(row.owner)) return undefined
  const tool = ownedToolOf(row)
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
