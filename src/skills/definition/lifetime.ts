import { z } from 'zod'

/**
 * How long an activation lasts: for the session, for so many calls, for so many turns (that of the
 * activation included), or until so many turns in a row passed without a call of its tools.
 */
export type Lifetime =
  'session' | { readonly uses: number } | { readonly turns: number } | { readonly idle: number }

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

/**
 * Read `session`, `once`, a number of uses or turns such as `3 uses` and `3 turns`, or of turns
 * without a call, `idle 5 turns`; null for anything else.
 */
export function parseLifetime(text: string): Lifetime | null {
  const wanted = text.trim().toLowerCase()
  if (wanted === 'session') return 'session'
  if (wanted === 'once') return { uses: 1 }
  const [, idle, digits = '', unit] = /^(idle )?(\d{1,6}) (use|turn)s?$/u.exec(wanted) ?? []
  const count = Number(digits)
  if (count === 0) return null
  if (unit === 'turn') return idle === undefined ? { turns: count } : { idle: count }
  return idle === undefined ? { uses: count } : null
}
