import { describeRule } from '../explain/describe-rule.ts'
import type { PermissionJudgement } from '../standing/judge-permission.ts'
import type { Refusal } from './decision.ts'

/** Why a call of an available tool does not run: the policy denies it for its arguments. */
export function deniedCall(
  tool: string,
  judgement: Exclude<PermissionJudgement, { effect: null }>,
): Refusal {
  const rule = judgement.by === 'host' ? describeRule(judgement.rule) : `"${judgement.skill}"`
  return {
    code: 'denied',
    message: `This call of "${tool}" is denied by the policy: ${rule}.`,
    hint: 'Other arguments may be allowed; ask the host to change its permissions otherwise.',
    facts: { tool, status: 'denied', ...judgement },
  }
}
