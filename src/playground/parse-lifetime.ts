import type { Lifetime } from '../skills/skill.ts'

/** A lifetime as it is typed: nothing for the session, a number for so many uses; null for neither. */
export function parseLifetime(text: string): Lifetime | null {
  const typed = text.trim().toLowerCase()
  if (typed === '' || typed === 'session') return 'session'
  const uses = /^[1-9]\d{0,8}$/u.test(typed) ? Number(typed) : null
  return uses === null ? null : { uses }
}
