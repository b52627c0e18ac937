import type { EngineContext } from '../model/engine-context.ts'
import { isMeta, type OpenClaim, type OpenSource } from '../model/source-event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../model/workspace-state.ts'
import { skillHasChanged } from './assess-skill.ts'
import { isLifetimeOver } from './ended-lifetimes.ts'
import { matchingPattern, type Permission, permissionOf } from './permission.ts'
import type { HeldClaim } from './place-claims.ts'
import { rememberedApproval, violatedPin } from './remembered-approval.ts'
import { matchesPattern } from '../../kernel/matches-pattern.ts'
import type { Tool, ToolCategory } from '../../tools/definition/tool.ts'

/** Why a tool can, or cannot, be called now. */
export type ToolStatus =
  | 'available'
  | 'not-exposed'
  | 'skill-inactive'
  | 'disabled'
  | 'denied'
  | 'blocked-by-mode'
  | 'budget-spent'
  /** Its owner's definition drifted from what the session activated: quarantined. */
  | 'changed'
  /** No handler in this process. */
  | 'unbound'
  /** Another owner's tool goes by this name. */
  | 'shadowed'
  | 'unknown'

/** How a registered tool stands: the first reason against it, else available. */
interface ToolJudgement {
  readonly status: ToolStatus
  readonly asks: boolean
}

/**
 * Judge one registered claim. The order of the reasons is the order in which they would
 * have to be mended: who holds the name, what the definition is, then who allows it.
 */
export function judgeTool(
  { source, claim }: HeldClaim,
  wins: boolean,
  tool: Tool | undefined,
  state: WorkspaceState,
  context: EngineContext,
): ToolJudgement {
  if (!wins) return no('shadowed')
  if (source.source === 'skill') {
    if (skillHasChanged(source, context.catalog)) return no('changed')
    if (state.broken.some(({ skill }) => skill === source.owner)) return no('skill-inactive')
  }
  const held = { owner: source, claim }
  if (violatedPin(held, state) !== undefined) return no('changed')
  const bound = context.handlers === 'here' ? tool?.run !== undefined : claim.bound
  const facts = { claim, owner: source, tool, bound, spent: isLifetimeOver(source, state.turn) }
  const standing = allowed(facts, state, context)
  return standing.asks && rememberedApproval(held, state) !== undefined
    ? { ...standing, asks: false }
    : standing
}

/** How a tool would stand if the skill that brings it were active and it had its name. */
export function judgeInactiveTool(
  tool: Tool,
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): ToolJudgement {
  const { name } = tool
  const bound = context.handlers === 'recorded' || tool.run !== undefined
  const owner = { source: 'skill' as const, owner: skill }
  const facts = { claim: { name, definedAs: name }, owner, tool, bound, spent: false }
  return allowed(facts, state, context)
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

function allowed(judged: JudgedTool, state: WorkspaceState, context: EngineContext): ToolJudgement {
  const { claim, owner, tool, bound, spent } = judged
  const { disabled, policy } = state
  const meta = isMeta(owner)
  if (disabled.some((one) => one.tool === claim.name)) return no('disabled')
  const { effect } = permissionOf(judged, state, context, null)
  if (effect === 'deny') return no('denied')
  if (tool?.modes && !tool.modes.includes(policy.mode)) return no('blocked-by-mode')
  const { tools: ofMode } = policy.limits
  if (ofMode && !meta && matchingPattern(ofMode, claim) === undefined) return no('blocked-by-mode')
  if (spent) return no('budget-spent')
  if (tool && !meta && exhaustedBudget(tool.category, state) !== null) return no('budget-spent')
  if (tool === undefined || !bound) return no('unbound')
  const patterns = context.agent?.tools
  if (patterns && !meta && !patterns.some((one) => matchesPattern(one, claim.name))) {
    return no('not-exposed')
  }
  return { status: 'available', asks: asksFirst(effect, tool) }
}

/** Whether a person is asked before a tool that is not denied, or a call of it, runs. */
export function asksFirst(
  effect: Permission['effect'],
  { requiresConfirmation }: Pick<Tool, 'requiresConfirmation'>,
): boolean {
  return effect === 'ask' || (effect === null && requiresConfirmation)
}

function no(status: ToolStatus): ToolJudgement {
  return { status, asks: false }
}

/**
 * When a tool can be called: now, or when the next turn gives its calls back; null for one that
 * another turn does not help.
 *
 * @param standIn how the tool stands in a state
 */
export function whenCallable(
  state: WorkspaceState,
  standIn: (state: WorkspaceState) => ToolJudgement,
): 'now' | 'next-turn' | null {
  const { status } = standIn(state)
  if (status === 'available') return 'now'
  if (status !== 'budget-spent') return null
  const { callsThisTurn } = EMPTY_STATE
  return standIn({ ...state, callsThisTurn }).status === 'available' ? 'next-turn' : null
}

/**
 * Everything of a state that the standing of tools follows from; what is derived from it is worked out
 * anew when one of these is not the same. A call changes none of them, but for the first of a
 * turn and one that spends something.
 */
export function statusFacts(state: WorkspaceState): readonly unknown[] {
  const { open, disabled, broken, policy, turn, approvals, pins } = state
  return [open, disabled, broken, policy, turn, approvals, pins, exhaustedBudgets(state)]
}

type Budget = Pick<WorkspaceState, 'policy' | 'callsThisTurn' | 'callsInSession'>

/** A budget without a call left: of a category in a turn, of a turn, or of the whole session. */
export interface ExhaustedBudget {
  readonly of: ToolCategory | 'turn' | 'session'
  readonly limit: number
}

const CATEGORIES = ['retrieval', 'action', 'utility'] as const

/** The widest budget that has no call of a category left; null while there is one. */
export function exhaustedBudget(
  category: ToolCategory,
  { policy: { limits }, callsThisTurn, callsInSession }: Budget,
): ExhaustedBudget | null {
  const { callsInSession: ofSession, calls: ofTurn, callsPerTurn } = limits
  if (ofSession !== undefined && callsInSession >= ofSession) {
    return { of: 'session', limit: ofSession }
  }
  const inTurn = CATEGORIES.reduce((sum, one) => sum + callsThisTurn[one], 0)
  if (ofTurn !== undefined && inTurn >= ofTurn) return { of: 'turn', limit: ofTurn }
  const limit = callsPerTurn[category]
  return limit !== undefined && callsThisTurn[category] >= limit ? { of: category, limit } : null
}

/**
 * The categories without a call left, each with the budget that is spent, as one text: it changes
 * with the last call, not with each.
 */
function exhaustedBudgets(budget: Budget): string {
  return CATEGORIES.map((category) => exhaustedBudget(category, budget)?.of ?? '').join(' ')
}
