import type { ApprovalScope } from '../../engine/model/consent-state.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Outcome } from '../commands/outcome.ts'
import type { CommandOptions } from '../open/command-options.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/** How a call is approved; for this one call by default. */
export interface ApproveOptions extends CommandOptions {
  readonly remember?: ApprovalScope
}

/** Record an approval, and keep one that holds beyond the session. */
export async function approve(
  { dispatcher, store, approvals }: SessionParts,
  id: string,
  { by = 'host', remember = 'call' }: ApproveOptions = {},
): Promise<Outcome> {
  if (remember === 'digest' && approvals === undefined) throw approvalsNotKept()
  const kept = remember === 'call' ? {} : { remember }
  const outcome = await dispatcher.dispatch({ type: 'confirmation.approve', id, ...kept }, { by })
  if (!outcome.ok || remember !== 'digest' || approvals === undefined) return outcome
  const { state } = store.getState()
  const given = state.approvals.find(({ seq }) => seq === outcome.seq)
  // Taken back in the meantime: then it must not be found anywhere.
  if (given === undefined) return outcome
  const { source, owner, tool, hash } = given
  try {
    await approvals.put({ principal: state.opening?.principal ?? null, source, owner, tool, hash })
  } catch (problem) {
    throw approvalNotKept(tool, problem)
  }
  return outcome
}

function approvalsNotKept(): WorkspaceError {
  return new WorkspaceError('APPROVALS_NOT_KEPT', 'Approvals are not kept beyond this session.', {
    hint: 'Open the workspace with an approval store (approvals), or remember it for the session.',
  })
}

function approvalNotKept(tool: string, cause: unknown): WorkspaceError {
  return new WorkspaceError('APPROVAL_NOT_KEPT', `The approval of "${tool}" could not be stored.`, {
    hint: 'This very call may run; the next one is asked about again.',
    facts: { tool },
    cause,
  })
}
