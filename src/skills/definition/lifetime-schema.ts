import { z } from 'zod'

/** What a lifetime may be, wherever one is given. */
export const lifetimeSchema = z.union(
  [
    z.literal('session'),
    z.strictObject({ uses: z.int().positive() }),
    z.strictObject({ turns: z.int().positive() }),
    z.strictObject({ idle: z.int().positive() }),
  ],
  'must be "session", or { uses: 1 }, { turns: 1 } or { idle: 1 } with a positive whole number',
)
