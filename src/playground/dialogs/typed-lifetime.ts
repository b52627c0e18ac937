import { parseLifetime } from '../../skills/definition/parse-lifetime.ts'
import type { Lifetime } from '../../skills/definition/skill.ts'

/**
 * A lifetime as it is typed: nothing for the session, a number for so many uses, else the words
 * that files know (`3 turns`, `idle 2 turns`, `once`); null for anything else.
 */
export function typedLifetime(text: string): Lifetime | null {
  const typed = text.trim()
  if (typed === '') return 'session'
  return /^[1-9]\d{0,8}$/u.test(typed) ? { uses: Number(typed) } : parseLifetime(typed)
}
