import * as z from 'zod'

/**
 * The lifetime of an activation: the session, a number of calls, a number of turns (including the turn of
 * the activation), or until a number of turns in a row had no call of its tools.
 */
export type Lifetime =
  'session' | { readonly uses: number } | { readonly turns: number } | { readonly idle: number }

/** The lifetime of an open source. `while`: as long as the condition of its skill holds, which activated it. */
export type OpenLifetime = Lifetime | 'while'

/** The schema of a lifetime, wherever one is given. */
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
 * Parses `session`, `once`, a number of uses or turns such as `3 uses` and `3 turns`, or a number of turns
 * without a call, such as `idle 5 turns`. Returns null for any other text.
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
