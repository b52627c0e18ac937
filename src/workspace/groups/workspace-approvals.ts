import type { DeskParts } from '../calls/desk-parts.ts'
import { assess } from '../../engine/standing/assess.ts'
import { judgeReading } from '../../engine/standing/loading-effect.ts'
import { checkedText } from '../../kernel/check-options.ts'
import { revokeApproval } from '../calls/approve.ts'
import type { CallDesk } from '../calls/call-desk.ts'
import type { CallOptions } from '../calls/request/call-request.ts'
import type { CommandOptions, Outcome } from '../commands/outcome.ts'

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
  /**
   * Asks a person about a call without making it: records the question, which `approve` and `deny` answer, and returns its
   * id. Once it is approved, the same call runs. Null when nobody is asked: the call would run, or be refused for another
   * reason. The skill of a found tool is activated, as by the call. The caller is the model unless `caller` names another
   * one.
   */
  ask(tool: string, input: unknown, options?: CallOptions): Promise<string | null>
  /**
   * Returns whether a model may read the text of a skill, or one of its files, where it makes no call: `deny` and `ask` by
   * the rules about `loadSkill` and `loadSkillFile`, as for their calls; null when it may. `ask` also when the function of a
   * rule decides. For hosts that show skills on a way of their own.
   */
  reading(skill: string, path?: string): 'deny' | 'ask' | null
  /** Revokes the remembered approvals of a tool, here and in the approval store. */
  revoke(tool: string, options?: CommandOptions): Promise<Outcome>
}

export function createApprovals(parts: DeskParts, desk: CallDesk): WorkspaceApprovals {
  return {
    asksFirst: (tool) => {
      const { state } = parts.store.getState()
      const assessment = assess(state, parts.context, checkedText(tool, 'tool'))
      return assessment.kind === 'registered' && assessment.row.asks
    },
    asksAbout: async (tool, input, options) =>
      desk.asksAbout(checkedText(tool, 'tool'), input, options),
    ask: async (tool, input, options) => desk.ask(checkedText(tool, 'tool'), input, options),
    reading: (skill, path) => {
      const { state } = parts.store.getState()
      return judgeReading(checkedText(skill, 'skill'), path ?? null, state, parts.context)
    },
    revoke: (tool, options) => revokeApproval(parts, tool, options),
  }
}
