import { z } from 'zod'

const count = z.int('must be a whole number').min(0, 'must not be negative')

const byCategory = <Value extends z.ZodType>(value: Value) =>
  z.strictObject(
    { retrieval: value.optional(), action: value.optional(), utility: value.optional() },
    'must be an object of retrieval, action and utility',
  )

/** The check of calls a turn may make, by category. */
export const callsPerTurnSchema = byCategory(count)

/** The check of the limits of a mode as a host or a file gives them. */
export const modeLimitsSchema = z.strictObject({
  tools: z.array(z.string('must be text'), 'must be a list of patterns').optional(),
  callsPerTurn: callsPerTurnSchema,
  calls: count.optional(),
  callsInSession: count.optional(),
  latencyMs: byCategory(z.number('must be a number').positive('must be above 0')),
  promptTier: z.enum(['summary', 'full'], 'must be "summary" or "full"'),
})
