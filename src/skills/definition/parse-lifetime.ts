import type { Lifetime } from './skill.ts'

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
