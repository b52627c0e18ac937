import { z } from 'zod'

/** What a lifetime may be, wherever one is given. */
export const lifetimeSchema = z.union(
  [z.literal('session'), z.strictObject({ uses: z.int().positive() })],
  'must be "session" or { uses: 1 } with a positive whole number',
)
