import type { RemovalPrice } from '../model/removal-price.ts'
import { sameOwner } from '../model/same-owner.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

/**
 * What it frees and loses that a source leaves; undefined where nobody counts. A tool that another
 * one brings, too, stays in the request.
 */
export function removalPriceOf(
  leaving: OpenSource,
  state: WorkspaceState,
  { priceOf }: Surroundings,
): RemovalPrice | undefined {
  const others = state.open.filter((one) => !sameOwner(one, leaving))
  const staying = new Set(others.flatMap(({ claims }) => claims.map(({ hash }) => hash)))
  const tools = leaving.claims.filter(({ hash }) => !staying.has(hash)).map(({ name }) => name)
  return priceOf?.(tools, state)
}
