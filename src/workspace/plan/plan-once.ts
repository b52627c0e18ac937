import type { ContentHash } from '../../kernel/content-hash.ts'
import { type ExposureName, EXPOSURES } from '../offer/exposure/exposure-strategy.ts'
import { factsOfFamily, PROVIDER_FACTS } from '../offer/exposure/provider-facts.ts'
import { planSkills, type SkillPlan } from './plan-skills.ts'
import { traceSession } from './session-trace.ts'
import type { VirtualWorkspace } from '../virtual-workspace.ts'

/** Catalogs of this process whose plan was given. */
const planned = new Set<ContentHash>()

/**
 * Plans the skills of a workspace from its first turns, once for each catalog and process. Nothing waits for it.
 *
 * @param onPlan gets the plan
 */
export async function planOnce(
  workspace: VirtualWorkspace,
  onPlan: (plan: SkillPlan) => void,
): Promise<void> {
  const { catalog, agent } = workspace
  if (planned.has(catalog.hash)) return
  planned.add(catalog.hash)
  const { provider: name, family, strategy, prices } = workspace.figures.ledger().exposure
  const known = Object.values(PROVIDER_FACTS).find((facts) => facts.name === name)
  const provider = known && factsOfFamily(known, family)
  // Prices are of the planner: without them, the host chose the strategy.
  const isChosen = prices.length === 0 && Object.hasOwn(EXPOSURES, strategy)
  const entries = await workspace.entries()
  // The latest turn may not have ended.
  const latest = entries.findLastIndex(({ event }) => event.type === 'turn.begun')
  const trace = traceSession(entries.slice(0, latest))
  onPlan(
    await planSkills(catalog, {
      ...(agent && { agent }),
      ...(provider && { provider }),
      ...(isChosen && { exposure: strategy as ExposureName }),
      traces: [trace],
    }),
  )
}
