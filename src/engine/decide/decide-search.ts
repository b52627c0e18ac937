import type { Command, Order } from '../model/command.ts'
import type { FoundTool } from '../model/discovery-event.ts'
import { DEFAULT_KEEPING } from '../model/discovery-rules.ts'
import type { WorkspaceEvent } from '../model/event.ts'
import { overCap } from './evictions.ts'
import { evolveDiscovery } from '../evolve/evolve-discovery.ts'
import { findableTools } from '../standing/findable-tools.ts'
import { LONGEST_QUERY } from '../model/normalise-query.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { accepted, type Decision } from './decision.ts'
import { evicted } from './evicted.ts'

type SearchStart = Extract<Command, { type: 'search.start' }>
type SearchEnd = Extract<Command, { type: 'search.end' }>

/** Note that a search begins, with as much of its query as a log is to hold. */
export function decideSearchStart(order: Order, { query, ...command }: SearchStart): Decision {
  const cut = query.slice(0, LONGEST_QUERY).toWellFormed()
  return accepted(order, { ...command, type: 'tool_discovery_start', query: cut })
}

/**
 * Tell what a search came to, and enable what may be called of it: now, or by a call that loads its
 * skill. Whoever searched, no tool is enabled that the gate would refuse for good.
 */
export function decideSearchEnd(
  state: WorkspaceState,
  order: Order,
  command: SearchEnd,
  around: Surroundings,
): Decision {
  const { type: _, ...result } = command
  const query = result.query.slice(0, LONGEST_QUERY).toWellFormed()
  const told: WorkspaceEvent = { type: 'tool_discovery_result', ...result, query }
  const { search, latencyMs } = result
  const hashes = new Map(result.found.map(({ name, hash }) => [name, hash]))
  const tools = findableTools(state, around, result.found.map(addressOf))
    .filter(
      ({ callable, found }) => callable !== 'load-first' && hashes.get(found.name) === found.hash,
    )
    .map(({ found }) => found)
  if (tools.length === 0) return accepted(order, told)
  const { enabled } = state
  const hitRate = enabled.tools === 0 ? null : round(enabled.called / enabled.tools)
  const event = { type: 'tools_enabled' as const, search, tools, latencyMs, hitRate }
  const { found } = evolveDiscovery(state, {
    seq: state.seq + 2,
    at: order.now,
    cause: order.cause,
    event,
  })
  const keep = around.discovery?.keep ?? DEFAULT_KEEPING
  return accepted(order, told, event, ...evicted(overCap(found, keep), state, around))
}

function round(part: number): number {
  return Math.round(part * 1000) / 1000
}

/** The very tool that was found: another owner may have one of its name. */
function addressOf({ name, source, owner }: FoundTool): string {
  return name.includes('/') ? name : `${source}:${owner}/${name}`
}
