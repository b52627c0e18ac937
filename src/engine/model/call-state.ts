import type { ToolCategory } from '../../tools/definition/tool.ts'
import type { ToolSource } from './tool-source.ts'

/** A call that has started, and neither ended nor been given up. */
export interface OpenCall {
  readonly call: string
  readonly tool: string
  readonly source: ToolSource
  readonly owner: string
  readonly since: number
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number
  /** How long it may run, in milliseconds; null where nobody said. */
  readonly limitMs: number | null
}

/** How often a tool was called in the session, by the name it went by, and how that went. */
export interface ToolUse {
  readonly tool: string
  readonly count: number
  readonly lastSeq: number
  readonly lastTurn: number
  /** How its last call that ended did so; null before one. */
  readonly lastResult: 'success' | 'error' | null
  /** Its uses before what the last call happened in (see `toldSince`); null when it had none. */
  readonly before: Pick<ToolUse, 'count' | 'lastResult'> | null
}

/** The calls of a session that are running, and how often its tools were called. */
export interface CallState {
  readonly calls: readonly OpenCall[]
  readonly used: readonly ToolUse[]
  /** Calls started in this turn, by category of tool; those of meta-tools apart. */
  readonly callsThisTurn: Readonly<Record<ToolCategory, number>>
  /** Calls started in the session, but for those of meta-tools. */
  readonly callsInSession: number
}

export const NO_CALLS: CallState['callsThisTurn'] = { retrieval: 0, action: 0, utility: 0 }

export const EMPTY_CALLS: CallState = {
  calls: [],
  used: [],
  callsThisTurn: NO_CALLS,
  callsInSession: 0,
}
