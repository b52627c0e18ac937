import type { EngineContext } from '../model/engine-context.ts'
import { type OpenSource, sameOwner } from '../model/source-event.ts'
import type { RemovalPrice } from '../model/step-cost.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/**
 * Returns the skills whose lifetime has ended and that have no running calls since their
 * activation.
 */
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

/** Returns true when the lifetime of an open source is over in a turn. */
export function isLifetimeOver(source: OpenSource, turn: number): boolean {
  const { lifetime, usesLeft } = source
  if (usesLeft !== null && usesLeft <= 0) return true
  return typeof lifetime === 'object' && !('uses' in lifetime) && hasEnded(lifetime, source, turn)
}

/**
 * Returns true when a number of turns, or of idle turns, is over. Turns include the one it began
 * in. Idle turns are complete turns without a call.
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
 * Returns the tokens that a source frees and loses when it leaves; undefined without a counter. A
 * tool that another source brings, too, stays in the request.
 */
export function removalPriceOf(
  leaving: OpenSource,
  state: WorkspaceState,
  { priceOf }: EngineContext,
): RemovalPrice | undefined {
  if (priceOf === undefined) return undefined
  const gone = new Map(leaving.claims.map(({ hash, name }) => [hash, name]))
  for (const one of state.open) {
    if (!sameOwner(one, leaving)) for (const { hash } of one.claims) gone.delete(hash)
  }
  return priceOf([...gone.values()], state)
}
