import satisfies from 'semver/functions/satisfies.js'
import gt from 'semver/functions/gt.js'
import { parseToolReference } from '../../tools/definition/tool-reference.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import { sameOwner } from '../model/same-owner.ts'
import type { OpenClaim, OpenSource } from '../model/source-state.ts'

/** A claim together with the source that made it. */
export interface HeldClaim {
  readonly source: OpenSource
  readonly claim: OpenClaim
}

/**
 * Who holds the name that all these claim: the latest claim that said it shadows, else the first one made.
 *
 * Claims that do neither never meet a different definition (they would have been refused),
 * so the first of them stands for owners that share one tool. Of several versions of one
 * owner's tool, the one the agent picks by range is meant, else the highest.
 *
 * @param claims at least one
 */
export function winnerAmong(claims: readonly HeldClaim[], agent: Agent | null): HeldClaim {
  return claims.reduce((holder, one) => (beats(one, holder, agent) ? one : holder))
}

/** Whether a claim takes the name from the one that held it so far. */
export function beats(one: HeldClaim, holder: HeldClaim, agent: Agent | null): boolean {
  if (sameOwner(one.source, holder.source)) {
    const [picked, before] = [isPicked(one.claim, agent), isPicked(holder.claim, agent)]
    return picked === before ? gt(one.claim.version, holder.claim.version) : picked
  }
  const [claim, held] = [one.claim, holder.claim]
  if (claim.onConflict === 'shadow') {
    return held.onConflict !== 'shadow' || claim.since > held.since
  }
  return held.onConflict !== 'shadow' && claim.since < held.since
}

function isPicked({ definedAs, version }: OpenClaim, agent: Agent | null): boolean {
  return (agent?.versions ?? []).some((reference) => {
    const { name, range } = parseToolReference(reference)
    return name === definedAs && satisfies(version, range)
  })
}
