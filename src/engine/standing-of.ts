import { matchesPattern } from '../kernel/match-pattern.ts'
import type { Tool } from '../registry/tool.ts'
import { isBudgetSpent } from './call-budget.ts'
import { covers } from './covers.ts'
import { hasChanged } from './has-changed.ts'
import { isSpent } from './lifetime-end.ts'
import { isMeta } from './meta-owner.ts'
import type { OpenClaim, WorkspaceState } from './state.ts'
import type { ToolStatus } from './status.ts'
import type { Surroundings } from './surroundings.ts'
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
  surroundings: Surroundings,
): Standing {
  if (!wins) return no('shadowed')
  if (source.source === 'skill') {
    if (hasChanged(source, surroundings.catalog)) return no('changed')
    if (state.broken.some(({ skill }) => skill === source.owner)) return no('skill-inactive')
  }
  const bound = surroundings.handlers === 'here' ? tool?.run !== undefined : claim.bound
  const facts = { claim, tool, bound, meta: isMeta(source), spent: isSpent(source, state.turn) }
  return allowed(facts, state, surroundings)
}

/** How a tool of a skill would stand if its skill were active and it had its name. */
export function wouldStand(
  tool: Tool,
  state: WorkspaceState,
  surroundings: Surroundings,
): Standing {
  const { name } = tool
  const bound = surroundings.handlers === 'recorded' || tool.run !== undefined
  const facts = { claim: { name, definedAs: name }, tool, bound, meta: false, spent: false }
  return allowed(facts, state, surroundings)
}

/** What permission is judged by. */
interface Permission {
  readonly claim: Pick<OpenClaim, 'name' | 'definedAs'>
  readonly tool: Tool | undefined
  readonly bound: boolean
  readonly meta: boolean
  /** The lifetime of its source is over. */
  readonly spent: boolean
}

function allowed(
  { claim, tool, bound, meta, spent }: Permission,
  state: WorkspaceState,
  { agent }: Surroundings,
): Standing {
  const { disabled, policy } = state
  if (disabled.some((one) => one.tool === claim.name)) return no('disabled')
  if (covers(policy.deny, claim) !== undefined) return no('denied')
  if (tool?.modes && !tool.modes.includes(policy.mode)) return no('blocked-by-mode')
  if (spent) return no('budget-spent')
  if (tool && !meta && isBudgetSpent(tool.category, state)) return no('budget-spent')
  if (tool === undefined || !bound) return no('unbound')
  const patterns = agent?.tools
  if (patterns && !meta && !patterns.some((one) => matchesPattern(one, claim.name))) {
    return no('not-exposed')
  }
  const asks = tool.requiresConfirmation || covers(policy.ask, claim) !== undefined
  return { status: 'available', asks }
}

function no(status: ToolStatus): Standing {
  return { status, asks: false }
}
