import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { type CallNeed, callProspect } from '../standing/call-prospect.ts'
import { hasFunctions } from '../standing/permission.ts'
import type { ToolRow } from '../standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'

/** A need that is met before a call is decided. A person is asked by the decision itself. */
export type SuppliedNeed = Exclude<CallNeed, 'ask-person'>

/** The facts about a call that no state has, by the need that they meet. */
export type SuppliedFacts = { readonly [need in SuppliedNeed]?: unknown } & {
  /** The activation whose hook ran. */
  readonly resume?: number | undefined
  /** The definition, and the registration, that the arguments were checked against. */
  readonly arguments?: { readonly hash: ContentHash | null; readonly since: number | null }
}

/** A call that is not decided yet. */
export interface UndecidedCall {
  /** The tool that it means in the state; null for one that is not registered. */
  readonly row: ToolRow | null
  /** The caller of the outermost call that it is within. */
  readonly origin: Caller
  /** False for a call that activates no skill, runs no hook and shows no preview. */
  readonly isMade: boolean
}

/**
 * Returns what the decision about a call needs next; null when it can be made. A fact about another tool than the one
 * that has the name now does not count.
 */
export function nextNeed(
  { row, origin, isMade }: UndecidedCall,
  known: SuppliedFacts,
  state: WorkspaceState,
  context: EngineContext,
): SuppliedNeed | null {
  if (row === null && isMade && known.activate === undefined) return 'activate'
  const { calls } = context
  const isAvailable = row?.status === 'available'
  if (isAvailable && isMade) {
    const { owner, since } = row.owner
    if (calls?.resumes(owner, since) === true && known.resume !== since) return 'resume'
  }
  const checked = known.arguments
  if (checked === undefined) return 'arguments'
  if (row === null) return null
  if (checked.hash !== row.claim.hash || checked.since !== row.owner.since) return 'arguments'
  const { tool } = row
  if (!isAvailable || tool === undefined) return null
  const isJudged = tool.confirms !== undefined || hasFunctions(state)
  if (isJudged && known['ask-function'] === undefined) return 'ask-function'
  if (calls?.hasStore === true && known['ask-store'] === undefined) {
    const { needs } = callProspect(row, origin, state, context)
    if (needs.includes('ask-store')) return 'ask-store'
  }
  const isShown = isMade && tool.preview !== undefined
  return isShown && known.preview === undefined ? 'preview' : null
}
