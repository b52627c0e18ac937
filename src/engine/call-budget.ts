import type { ToolCategory } from '../registry/tool.ts'
import type { WorkspaceState } from './state.ts'

type Budget = Pick<WorkspaceState, 'policy' | 'callsThisTurn'>

/** Whether a turn has no call of a category left. */
export function isBudgetSpent(category: ToolCategory, { policy, callsThisTurn }: Budget): boolean {
  const limit = policy.callsPerTurn[category]
  return limit !== undefined && callsThisTurn[category] >= limit
}

/** The categories without a call left, as one text: it changes with the last call, not with each. */
export function spentBudgets(budget: Budget): string {
  const categories = ['retrieval', 'action', 'utility'] as const
  return categories.filter((category) => isBudgetSpent(category, budget)).join(' ')
}
