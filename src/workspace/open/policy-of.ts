import { OPEN_LIMITS } from '../../engine/model/mode-limits.ts'
import { modeLimitsOf } from '../../engine/model/mode-limits-of.ts'
import type { Policy } from '../../engine/model/policy.ts'
import { checkPolicy } from './check-policy.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** What a host may say of the policy of a session. */
export type PolicyOptions = Pick<
  WorkspaceOptions,
  'mode' | 'modes' | 'permissions' | 'callsPerTurn'
>

/**
 * The policy a host gives a session, over the one it has: what is not given stays as it is. A mode
 * brings its limits when it is named, or defined by the host anew.
 *
 * Throws `POLICY_INVALID`: a rule with a member misspelt would match more than it was meant to.
 */
export function policyOf(
  { mode: given, modes = {}, permissions, callsPerTurn: own }: PolicyOptions,
  recorded: Policy,
): Policy {
  const mode = given ?? recorded.mode
  const callsPerTurn = own ?? recorded.callsPerTurn
  const isNamed = given !== undefined || Object.hasOwn(modes, mode)
  const limits = isNamed ? (modeLimitsOf(mode, modes) ?? OPEN_LIMITS) : recorded.limits
  return checkPolicy({
    mode,
    deny: permissions?.deny ?? recorded.deny,
    ask: permissions?.ask ?? recorded.ask,
    allow: permissions?.allow ?? recorded.allow,
    allowedTools: permissions?.allowedTools ?? recorded.allowedTools,
    limits: callsPerTurn === undefined ? limits : { ...limits, callsPerTurn },
    ...(callsPerTurn !== undefined && { callsPerTurn }),
  })
}
