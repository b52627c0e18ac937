import type { FoundKeeping } from '../model/discovery-rules.ts'
import type { DiscoveryEvent } from '../model/discovery-event.ts'
import type { FoundToolState } from '../model/discovery-state.ts'
import { hasEnded } from '../standing/lifetime-end.ts'

/** Found tools that go for one reason. */
export interface Eviction {
  readonly reason: Extract<DiscoveryEvent, { type: 'tools_evicted' }>['reason']
  readonly tools: readonly FoundToolState[]
}

/** The found tools whose time is over when a turn begins. */
export function overdue(
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

/** The found tools that are too many: those used longest ago, and the later found of one finding. */
export function overCap(
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
