import type { Lifetime } from '../../skills/definition/skill.ts'
import type { OpenSource } from '../model/source-state.ts'

/** Calls a lifetime allows; null when it does not count calls. */
export function usesOf(lifetime: Lifetime): number | null {
  return typeof lifetime === 'object' && 'uses' in lifetime ? lifetime.uses : null
}

/** Whether the lifetime of an open source is over in a turn. */
export function isSpent({ lifetime, usesLeft, ...times }: OpenSource, turn: number): boolean {
  if (usesLeft !== null && usesLeft <= 0) return true
  return lifetime !== 'session' && !('uses' in lifetime) && hasEnded(lifetime, times, turn)
}

/**
 * Whether so many turns, or so many idle ones, are over in a turn. Turns count from the one it
 * began in, that one included; idle ones are whole turns without a call.
 */
export function hasEnded(
  { turns, idle }: { readonly turns?: number; readonly idle?: number },
  { turn, lastTurn }: Pick<OpenSource, 'turn' | 'lastTurn'>,
  now: number,
): boolean {
  return (
    (turns !== undefined && now - turn >= turns) || (idle !== undefined && now - lastTurn > idle)
  )
}
