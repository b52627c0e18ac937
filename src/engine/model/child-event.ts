import type { ToolCategory } from '../../tools/definition/tool.ts'
import { NO_SPENDING, type Spending } from './step-cost.ts'

/** Events about the child sessions of a session, in its own log. */
export type ChildEvent =
  /** A child session was opened, or opened again. */
  | {
      readonly type: 'child.opened'
      readonly child: string
      readonly agent: string | null
      /** The call whose handler opened it; null when the host did. */
      readonly call: string | null
      /** The spending of the child before that: what it spends from here on counts in this session. */
      readonly before: Spending
    }
  | {
      readonly type: 'child.ended'
      readonly child: string
      /** The spending of the child, with its own children, since it was opened. */
      readonly spent: Spending
    }
  /** A call of a child is about to start, and counts in the budgets of this session. */
  | {
      readonly type: 'child.called'
      readonly child: string
      readonly tool: string
      readonly category: ToolCategory
      /**
       * Names the call: the session and the step that make it, its id, tool and arguments. Made again, it counts once.
       */
      readonly made?: string
    }

/** The parent of a child session. */
export interface ParentLink {
  readonly session: string
  /** The call of the parent whose handler opened it; null when the host did. */
  readonly call: string | null
}

/** A budget without a call left: of one category in a turn, of the turn, or of the session. */
export interface ExhaustedBudget {
  readonly of: ToolCategory | 'turn' | 'session'
  readonly limit: number
  /** It is that of a session above. */
  readonly above?: true
}

/** A session above a child session, and the last of its entries that was read for the child. */
export interface SessionAbove {
  readonly session: string
  readonly seq: number
}

/** A child session that ends. */
export interface EndedChild {
  readonly child: string
  /** Its spending in all, with its own children; null for a child that the log does not have. */
  readonly total: Spending | null
}

/** A child session, as its parent knows it. */
export interface ChildSession {
  readonly session: string
  readonly agent: string | null
  readonly call: string | null
  readonly isOpen: boolean
  /** The entry that opened it last. */
  readonly since: number
  /** Its spending before that. */
  readonly before: Spending
  /** Its spending until it ended last, with that of its own children. */
  readonly spent: Spending
}

/** The child sessions of a session, and the spending of all of them. */
export interface ChildState {
  /** All open ones, and those that ended last. */
  readonly children: readonly ChildSession[]
  /** The spending of its own steps. */
  readonly spent: Spending
  /** The spending of the children that have ended. */
  readonly spentByChildren: Spending
  /** The calls of children that were counted last (`made`). The latest is last. */
  readonly callsOfChildren: readonly string[]
}

export const EMPTY_CHILDREN: ChildState = {
  children: [],
  spent: NO_SPENDING,
  spentByChildren: NO_SPENDING,
  callsOfChildren: [],
}
