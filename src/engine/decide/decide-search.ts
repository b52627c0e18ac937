import { evictionEvents, toolsOverCap } from './decide-turn.ts'
import { accepted, type Decision, refused, UNCHANGED } from './decision.ts'
import { evolveDiscovery } from '../evolve/evolve-discovery.ts'
import type { CommandOf, Order } from '../model/command.ts'
import { DEFAULT_KEEPING, LONGEST_QUERY } from '../model/discovery-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { findableTools } from '../standing/findable-tools.ts'
import { ownerAddress } from '../standing/tool-table.ts'

/**
 * Records the result of a search, and enables the found tools that can be called now, or by a call
 * that activates their skill. A tool that would be refused anyway is not enabled.
 */
export function decideSearch(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'search.end'>,
  context: EngineContext,
): Decision {
  const { type: _, ...result } = command
  const { search, latencyMs } = result
  const ended: WorkspaceEvent = {
    type: 'tool_discovery_result',
    ...result,
    query: cut(result.query),
  }
  // Another owner may have a tool of the same name.
  const addresses = result.found.map((one) =>
    one.name.includes('/') ? one.name : ownerAddress(one, one.name),
  )
  const hashes = new Map(result.found.map(({ name, hash }) => [name, hash]))
  const tools = findableTools(state, context, addresses)
    .filter(
      ({ callable, found }) => callable !== 'load-first' && hashes.get(found.name) === found.hash,
    )
    .map(({ found }) => found)
  if (tools.length === 0) return accepted(order, ended)
  const { tools: before, called } = state.enabled
  const hitRate = before === 0 ? null : Math.round((called / before) * 1000) / 1000
  const event = { type: 'tools_enabled' as const, search, tools, latencyMs, hitRate }
  const entry = { seq: state.seq + 2, at: order.now, cause: order.cause, event }
  const { found } = evolveDiscovery(state, entry)
  const keep = context.discovery?.keep ?? DEFAULT_KEEPING
  const evicted = evictionEvents(toolsOverCap(found, keep), state, context)
  return accepted(order, ended, event, ...evicted)
}

/** Records that a search starts. */
export function decideSearchStart(
  order: Order,
  { query, ...command }: CommandOf<'search.start'>,
): Decision {
  return accepted(order, { ...command, type: 'tool_discovery_start', query: cut(query) })
}

/** A query, no longer than a log should keep. */
function cut(query: string): string {
  return query.slice(0, LONGEST_QUERY).toWellFormed()
}

/** Records the rules that were sent to the model; those it already has are left out. */
export function decideRules(
  { rulesSent }: WorkspaceState,
  order: Order,
  { topics }: CommandOf<'rules.send'>,
): Decision {
  const known = new Map(rulesSent.map(({ topic, hash }) => [topic, hash]))
  const fresh = topics.filter(({ topic, hash }) => known.get(topic) !== hash)
  return fresh.length === 0 ? UNCHANGED : accepted(order, { type: 'rules.sent', topics: fresh })
}

/** Characters of a summary at most: it is sent with the prompt whenever it changes. */
const LONGEST_SUMMARY = 8_000

/** Sets, replaces or removes the host's summary of the session so far. */
export function decideSummary(
  { memory }: WorkspaceState,
  order: Order,
  command: CommandOf<'memory.summarise'>,
): Decision {
  const text = command.summary?.toWellFormed() ?? ''
  const summary = text.trim() === '' ? null : text
  if (summary === memory.summary) return UNCHANGED
  if (text.length > LONGEST_SUMMARY) {
    return refused(order, 'summary', {
      code: 'summary-too-long',
      message: `The summary has ${text.length} characters; working memory takes ${LONGEST_SUMMARY}.`,
      hint: 'Shorten it: the model reads all of it.',
      facts: { length: text.length, limit: LONGEST_SUMMARY },
    })
  }
  return accepted(order, { type: 'memory.summarised', summary })
}
