import type { Lifetime } from '../skill.ts'

/** Read `session`, `once`, or a number of uses such as `3 uses`; null for anything else. */
export function parseLifetime(text: string): Lifetime | null {
  const wanted = text.trim().toLowerCase()
  if (wanted === 'session') return 'session'
  if (wanted === 'once') return { uses: 1 }
  const [, uses] = /^(\d{1,6}) uses?$/.exec(wanted) ?? []
  return uses !== undefined && Number(uses) > 0 ? { uses: Number(uses) } : null
}
