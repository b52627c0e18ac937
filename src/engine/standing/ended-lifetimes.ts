import type { EngineContext } from '../model/engine-context.ts'
import { type OpenSource, sameOwner } from '../model/source-event.ts'
import type { RemovalPrice } from '../model/step-cost.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { Lifetime } from '../../skills/definition/lifetime.ts'

/** Skills whose lifetime has ended and of whose calls, since they came, none is running. */
export function endedLifetimes(state: WorkspaceState): readonly string[] {
  return state.open
    .filter(
      (one) =>
        one.source === 'skill' &&
        isLifetimeOver(one, state.turn) &&
        !state.calls.some((call) => sameOwner(call, one) && call.since > one.since),
    )
    .map(({ owner }) => owner)
}

/** Calls a lifetime allows; null when it does not count calls. */
export function usesAllowed(lifetime: Lifetime): number | null {
  return typeof lifetime === 'object' && 'uses' in lifetime ? lifetime.uses : null
}

/** Whether the lifetime of an open source is over in a turn. */
export function isLifetimeOver(
  { lifetime, usesLeft, ...times }: OpenSource,
  turn: number,
): boolean {
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

/**
 * The turn that what happens now counts from. What comes before the first message (initial skills)
 * belongs to the first turn, or it would last a turn less than it says.
 */
export function currentTurn({ turn }: Pick<WorkspaceState, 'turn'>): number {
  return Math.max(1, turn)
}

/**
 * What it frees and loses that a source leaves; undefined where nobody counts. A tool that another
 * one brings, too, stays in the request.
 */
export function removalPriceOf(
  leaving: OpenSource,
  state: WorkspaceState,
  { priceOf }: EngineContext,
): RemovalPrice | undefined {
  const others = state.open.filter((one) => !sameOwner(one, leaving))
  const staying = new Set(others.flatMap(({ claims }) => claims.map(({ hash }) => hash)))
  const tools = leaving.claims.filter(({ hash }) => !staying.has(hash)).map(({ name }) => name)
  return priceOf?.(tools, state)
}
