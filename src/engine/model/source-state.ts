import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Lifetime } from '../../skills/definition/skill.ts'
import type { Cause } from './cause.ts'
import type { Claim } from './source-event.ts'
import type { ToolSource } from './tool-source.ts'

/** A claim with the entry that made it. */
export interface OpenClaim extends Claim {
  readonly since: number
}

/** An owner whose tools are registered, from the entry that opened it. */
export interface OpenSource {
  readonly source: ToolSource
  readonly owner: string
  readonly definition: ContentHash | null
  readonly claims: readonly OpenClaim[]
  /** Names it gave up while it stayed: a host that comes back does not bring them again. */
  readonly givenUp?: readonly string[]
  readonly lifetime: Lifetime
  /** Calls left of a `uses` lifetime; null without one. */
  readonly usesLeft: number | null
  readonly requested: boolean
  /** The turn its lifetime counts from; 1 before the first turn. */
  readonly turn: number
  /** The turn of the last call of one of its tools; `turn` before one. */
  readonly lastTurn: number
  readonly since: number
  readonly cause: Cause
}

/** An owner that was open once: where and why it went. */
export interface ClosedSource {
  readonly source: ToolSource
  readonly owner: string
  readonly seq: number
  readonly cause: Cause
}

/** Which owners have their tools registered, and what became of the others. */
export interface SourceState {
  /** In the order they were opened. */
  readonly open: readonly OpenSource[]
  readonly closed: readonly ClosedSource[]
  /** Skills whose `onActivate` failed when the session was taken up. */
  readonly broken: readonly {
    readonly skill: string
    readonly seq: number
    readonly message: string
  }[]
}

export const EMPTY_SOURCES: SourceState = { open: [], closed: [], broken: [] }
