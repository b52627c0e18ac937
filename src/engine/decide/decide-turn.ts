import { accepted, type Decision } from './decision.ts'
import type { Order } from '../model/command.ts'
import {
  DEFAULT_KEEPING,
  type FoundKeeping,
  type FoundToolState,
} from '../model/discovery-event.ts'
import { allConfirmations } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { EventOf, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { hasEnded } from '../standing/ended-lifetimes.ts'
import { hiddenTools } from '../standing/findable-tools.ts'
import { isExpired } from '../standing/remembered-approval.ts'
import { toolTable } from '../standing/tool-table.ts'

/** Found tools that are evicted for one reason. */
interface Eviction {
  readonly reason: EventOf<'tools_evicted'>['reason']
  readonly tools: readonly FoundToolState[]
}

/**
 * Begins a turn. Confirmations past their time expire, and found tools past theirs are evicted.
 * Skills whose lifetime ends have hooks to run, so each leaves by a command of its own.
 */
export function decideTurn(state: WorkspaceState, order: Order, context: EngineContext): Decision {
  const turn = state.turn + 1
  const keep = context.discovery?.keep ?? DEFAULT_KEEPING
  return accepted(
    order,
    ...allConfirmations(state)
      .filter((one) => isExpired(one, order))
      .map(({ id }) => ({ type: 'confirmation.expired' as const, id })),
    { type: 'turn.begun', turn },
    ...evictionEvents(overdueTools(state.found, turn, keep), state, context),
  )
}

/** Returns the found tools whose time is over when a turn begins. */
function overdueTools(
  found: readonly FoundToolState[],
  turn: number,
  { turns, idleTurns }: FoundKeeping,
): readonly Eviction[] {
  const old = found.filter((one) => turns !== undefined && hasEnded({ turns }, one, turn))
  const idle = found.filter(
    (one) =>
      idleTurns !== undefined && !old.includes(one) && hasEnded({ idle: idleTurns }, one, turn),
  )
  return [
    { reason: 'turns' as const, tools: old },
    { reason: 'idle' as const, tools: idle },
  ].filter(({ tools }) => tools.length > 0)
}

/**
 * Returns the events that evict found tools, each with its price. A tool that is also exposed for
 * another reason, because its skill is active or it is pinned, stays in the request.
 */
export function evictionEvents(
  evictions: readonly Eviction[],
  state: WorkspaceState,
  context: EngineContext,
): readonly WorkspaceEvent[] {
  if (evictions.length === 0) return []
  const hidden = hiddenTools(state, context)
  const { byName } = toolTable(state, context)
  return evictions.map(({ reason, tools }) => {
    const names = tools.map(({ name }) => name)
    const leaving = names.filter((name) => hidden.has(name) || !byName.has(name))
    const price = context.priceOf?.(leaving, state) ?? { tokensFreed: 0, prefixLost: 0 }
    return { type: 'tools_evicted', tools: names, reason, ...price }
  })
}

/**
 * Returns the found tools over the cap: those used least recently, and of one search the later
 * ones.
 */
export function toolsOverCap(
  found: readonly FoundToolState[],
  { cap }: FoundKeeping,
): readonly Eviction[] {
  if (found.length <= cap) return []
  const places = new Map(found.map((one, index) => [one, index]))
  const tools = found
    .toSorted((a, b) => a.lastSeq - b.lastSeq || (places.get(b) ?? 0) - (places.get(a) ?? 0))
    .slice(0, found.length - cap)
  return [{ reason: 'cap', tools }]
}
