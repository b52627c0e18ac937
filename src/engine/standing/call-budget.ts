import type { ToolCategory } from '../../tools/definition/tool.ts'
import type { WorkspaceState } from '../model/state.ts'

type Budget = Pick<WorkspaceState, 'policy' | 'callsThisTurn' | 'callsInSession'>

/** A budget without a call left: of a category in a turn, of a turn, or of the whole session. */
export interface SpentBudget {
  readonly of: ToolCategory | 'turn' | 'session'
  readonly limit: number
}

const CATEGORIES = ['retrieval', 'action', 'utility'] as const

/** The widest budget that has no call of a category left; null while there is one. */
export function spentBudget(
  category: ToolCategory,
  { policy: { limits }, callsThisTurn, callsInSession }: Budget,
): SpentBudget | null {
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
export function spentBudgets(budget: Budget): string {
  return CATEGORIES.map((category) => spentBudget(category, budget)?.of ?? '').join(' ')
}
