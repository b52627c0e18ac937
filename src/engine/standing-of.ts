import { matchesPattern } from '../kernel/match-pattern.ts'
import type { Tool } from '../registry/tool.ts'
import { hasChanged } from './has-changed.ts'
import type { Surroundings } from './surroundings.ts'
import { isMeta } from './meta-owner.ts'
import type { WorkspaceState } from './state.ts'
import { covers } from './covers.ts'
import type { ToolStatus } from './status.ts'
import type { HeldClaim } from './winner.ts'

/** How a registered tool stands: the first reason against it, else available. */
export interface Standing {
  readonly status: ToolStatus
  readonly asks: boolean
}

/**
 * Judge one registered claim. The order of the reasons is the order in which they would
 * have to be mended: who holds the name, what the definition is, then who allows it.
 */
export function standingOf(
  { source, claim }: HeldClaim,
  wins: boolean,
  tool: Tool | undefined,
  state: WorkspaceState,
  { catalog, agent, handlers }: Surroundings,
): Standing {
  const { policy } = state
  const no = (status: ToolStatus): Standing => ({ status, asks: false })
  if (!wins) return no('shadowed')
  if (source.source === 'skill') {
    if (hasChanged(source, catalog)) return no('changed')
    if (state.broken.some(({ skill }) => skill === source.owner)) return no('skill-inactive')
  }
  if (state.disabled.some((one) => one.tool === claim.name)) return no('disabled')
  if (covers(policy.deny, claim) !== undefined) return no('denied')
  if (tool?.modes && !tool.modes.includes(policy.mode)) return no('blocked-by-mode')
  if (source.usesLeft !== null && source.usesLeft <= 0) return no('budget-spent')
  const limit = tool && !isMeta(source) ? policy.callsPerTurn[tool.category] : undefined
  if (tool && limit !== undefined && state.callsThisTurn[tool.category] >= limit) {
    return no('budget-spent')
  }
  const bound = handlers === 'here' ? tool?.run !== undefined : claim.bound
  if (tool === undefined || !bound) return no('unbound')
  const patterns = agent?.tools
  if (patterns && !isMeta(source) && !patterns.some((one) => matchesPattern(one, claim.name))) {
    return no('not-exposed')
  }
  const asks = tool.requiresConfirmation || covers(policy.ask, claim) !== undefined
  return { status: 'available', asks }
}
