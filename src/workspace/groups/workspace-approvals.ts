import { assess } from '../../engine/standing/assess.ts'
import { checkedText } from '../../kernel/check-options.ts'
import { revokeApproval } from '../calls/approve.ts'
import { asksAbout } from '../calls/prepare-call.ts'
import type { CallOptions } from '../calls/request/call-request.ts'
import type { CommandOptions, Outcome } from '../commands/outcome.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/** The approvals of a session: which calls need one, and which are remembered. */
export interface WorkspaceApprovals {
  /**
   * Returns whether calls of an available tool by the model ask a person first: all, or those that its condition names.
   */
  asksFirst(tool: string): boolean
  /**
   * Returns whether a call with these arguments would ask a person now: the decision about the call, of which nothing is
   * recorded. Runs the tool's schema and condition and the functions of rules, and asks the approval store. False for a
   * call that would be refused for another reason. The caller is the model unless `caller` names another one.
   */
  asksAbout(tool: string, input: unknown, options?: CallOptions): Promise<boolean>
  /** Revokes the remembered approvals of a tool, here and in the approval store. */
  revoke(tool: string, options?: CommandOptions): Promise<Outcome>
}

export function createApprovals(parts: SessionParts): WorkspaceApprovals {
  return {
    asksFirst: (tool) => {
      const { state } = parts.store.getState()
      const assessment = assess(state, parts.context, checkedText(tool, 'tool'))
      return assessment.kind === 'registered' && assessment.row.asks
    },
    asksAbout: async (tool, input, options) =>
      asksAbout(parts, checkedText(tool, 'tool'), input, options),
    revoke: (tool, options) => revokeApproval(parts, tool, options),
  }
}
