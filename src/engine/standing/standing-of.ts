import { matchesPattern } from '../../kernel/matches-pattern.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { brokenPin } from './broken-pin.ts'
import { spentBudget } from './call-budget.ts'
import { covers } from './covers.ts'
import { hasChanged } from './has-changed.ts'
import { isSpent } from './lifetime-end.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { PermissionJudgement } from './judge-permission.ts'
import { permissionOf } from './permission-of.ts'
import { rememberedApproval } from './remembered-approval.ts'
import type { OpenClaim, OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { ToolStatus } from './status.ts'
import type { Surroundings } from '../model/surroundings.ts'
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
  const held = { owner: source, claim }
  if (brokenPin(held, state) !== undefined) return no('changed')
  const bound = surroundings.handlers === 'here' ? tool?.run !== undefined : claim.bound
  const facts = { claim, owner: source, tool, bound, spent: isSpent(source, state.turn) }
  const standing = allowed(facts, state, surroundings)
  return standing.asks && rememberedApproval(held, state) !== undefined
    ? { ...standing, asks: false }
    : standing
}

/** How a tool would stand if the skill that brings it were active and it had its name. */
export function wouldStand(
  tool: Tool,
  skill: string,
  state: WorkspaceState,
  surroundings: Surroundings,
): Standing {
  const { name } = tool
  const bound = surroundings.handlers === 'recorded' || tool.run !== undefined
  const owner = { source: 'skill' as const, owner: skill }
  const facts = { claim: { name, definedAs: name }, owner, tool, bound, spent: false }
  return allowed(facts, state, surroundings)
}

/** A tool that stands by what the host, the mode and the agent say of it. */
interface JudgedTool {
  readonly claim: Pick<OpenClaim, 'name' | 'definedAs' | 'trusted'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  readonly tool: Tool | undefined
  readonly bound: boolean
  /** The lifetime of its source is over. */
  readonly spent: boolean
}

function allowed(judged: JudgedTool, state: WorkspaceState, surroundings: Surroundings): Standing {
  const { claim, owner, tool, bound, spent } = judged
  const { disabled, policy } = state
  const meta = isMeta(owner)
  if (disabled.some((one) => one.tool === claim.name)) return no('disabled')
  const { effect } = permissionOf(judged, state, surroundings, null)
  if (effect === 'deny') return no('denied')
  if (tool?.modes && !tool.modes.includes(policy.mode)) return no('blocked-by-mode')
  const { tools: ofMode } = policy.limits
  if (ofMode && !meta && covers(ofMode, claim) === undefined) return no('blocked-by-mode')
  if (spent) return no('budget-spent')
  if (tool && !meta && spentBudget(tool.category, state) !== null) return no('budget-spent')
  if (tool === undefined || !bound) return no('unbound')
  const patterns = surroundings.agent?.tools
  if (patterns && !meta && !patterns.some((one) => matchesPattern(one, claim.name))) {
    return no('not-exposed')
  }
  return { status: 'available', asks: asksFirst(effect, tool) }
}

/** Whether a person is asked before a tool that is not denied, or a call of it, runs. */
export function asksFirst(
  effect: PermissionJudgement['effect'],
  { requiresConfirmation }: Pick<Tool, 'requiresConfirmation'>,
): boolean {
  return effect === 'ask' || (effect === null && requiresConfirmation)
}

function no(status: ToolStatus): Standing {
  return { status, asks: false }
}
