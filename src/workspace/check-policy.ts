import { z } from 'zod'
import { permissionRuleSchema } from '../engine/permission-rule-schema.ts'
import type { Policy } from '../engine/policy.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'

const patterns = z.array(z.string('must be text'), 'must be a list of patterns')
const rules = z.array(permissionRuleSchema, 'must be a list of rules')
const count = z.int('must be a whole number').min(0, 'must not be negative')
const byCategory = (number: z.ZodNumber | z.ZodInt) =>
  z.strictObject({
    retrieval: number.optional(),
    action: number.optional(),
    utility: number.optional(),
  })

const policySchema = z.strictObject({
  mode: z.string('must be text').min(1, 'must not be empty'),
  deny: rules,
  ask: rules,
  allow: rules,
  allowedTools: z.enum(
    ['ignore', 'pre-approve', 'restrict'],
    'must be "ignore", "pre-approve" or "restrict"',
  ),
  limits: z.strictObject({
    tools: patterns.optional(),
    callsPerTurn: byCategory(count),
    calls: count.optional(),
    callsInSession: count.optional(),
    latencyMs: byCategory(z.number('must be a number').positive('must be above 0')),
    promptTier: z.enum(['summary', 'full'], 'must be "summary" or "full"'),
  }),
  callsPerTurn: byCategory(count).optional(),
})

/**
 * A policy in plain JSON, as the log takes it. Throws `POLICY_INVALID`: what is misspelt must not be
 * taken for what was not said.
 */
export function checkPolicy(policy: Policy): Policy {
  const checked = policySchema.safeParse(policy)
  if (checked.success) return policy
  const issues = checked.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }))
  throw new WorkspaceError(
    'POLICY_INVALID',
    `The policy is not valid: ${issues.map(({ path, message }) => `${path}: ${message}`).join('; ')}.`,
    {
      facts: { issues },
      hint: 'Correct the mode, permissions or limits that were given.',
    },
  )
}
