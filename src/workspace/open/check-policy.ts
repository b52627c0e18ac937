import { z } from 'zod'
import { callsPerTurnSchema, modeLimitsSchema } from '../../engine/model/mode-limits-schema.ts'
import {
  allowedToolsSchema,
  permissionRuleSchema,
} from '../../engine/model/permission-rule-schema.ts'
import type { Policy } from '../../engine/model/policy.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

const rules = z.array(permissionRuleSchema, 'must be a list of rules')

const policySchema = z.strictObject({
  mode: z.string('must be text').min(1, 'must not be empty'),
  deny: rules,
  ask: rules,
  allow: rules,
  allowedTools: allowedToolsSchema,
  limits: modeLimitsSchema,
  callsPerTurn: callsPerTurnSchema.optional(),
})

/**
 * A policy that can be relied on. Throws `POLICY_INVALID`: what is misspelt must not be taken for what
 * was not said.
 */
export function checkPolicy(policy: Policy): Policy {
  const checked = policySchema.safeParse(policy)
  if (checked.success) return policy
  const issues = checked.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }))
  const told = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  throw new WorkspaceError('POLICY_INVALID', `The policy is not valid: ${told}.`, {
    facts: { issues },
    hint: 'Correct the mode, permissions or limits that were given.',
  })
}
