import { evictionEvents, toolsOverCap } from './decide-turn.ts'
import { accepted, type Decision, refused } from './decision.ts'
import { evolveDiscovery } from '../evolve/evolve-discovery.ts'
import type { Command, Order } from '../model/command.ts'
import { DEFAULT_KEEPING, type FoundTool, LONGEST_QUERY } from '../model/discovery-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { findableTools } from '../standing/findable-tools.ts'

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
export function decideSearch(
  state: WorkspaceState,
  order: Order,
  command: SearchEnd,
  context: EngineContext,
): Decision {
  const { type: _, ...result } = command
  const query = result.query.slice(0, LONGEST_QUERY).toWellFormed()
  const told: WorkspaceEvent = { type: 'tool_discovery_result', ...result, query }
  const { search, latencyMs } = result
  const hashes = new Map(result.found.map(({ name, hash }) => [name, hash]))
  const tools = findableTools(state, context, result.found.map(addressOf))
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
  const keep = context.discovery?.keep ?? DEFAULT_KEEPING
  return accepted(order, told, event, ...evictionEvents(toolsOverCap(found, keep), state, context))
}

function round(part: number): number {
  return Math.round(part * 1000) / 1000
}

/** The very tool that was found: another owner may have one of its name. */
function addressOf({ name, source, owner }: FoundTool): string {
  return name.includes('/') ? name : `${source}:${owner}/${name}`
}

/** Note that the model was told rules; those it has already come to nothing. */
export function decideRules(
  { rulesSent }: WorkspaceState,
  order: Order,
  { topics }: Extract<Command, { type: 'rules.send' }>,
): Decision {
  const known = new Map(rulesSent.map(({ topic, hash }) => [topic, hash]))
  const fresh = topics.filter(({ topic, hash }) => known.get(topic) !== hash)
  return fresh.length === 0
    ? { kind: 'accepted', drafts: [] }
    : accepted(order, { type: 'rules.sent', topics: fresh })
}

/** Characters of a summary: it goes into the prompt whenever it changes. */
const LONGEST_SUMMARY = 8_000

/** Take, or take away, the host's summary of what happened so far. */
export function decideSummary(
  { memory }: WorkspaceState,
  order: Order,
  command: Extract<Command, { type: 'memory.summarise' }>,
): Decision {
  const text = command.summary?.toWellFormed() ?? ''
  const summary = text.trim() === '' ? null : text
  if (summary === memory.summary) return { kind: 'accepted', drafts: [] }
  if (text.length > LONGEST_SUMMARY) {
    return refused(order, 'summary', {
      code: 'summary-too-long',
      message: `A summary of ${text.length} characters is over the ${LONGEST_SUMMARY} that working memory takes.`,
      hint: 'Shorten it: the model reads it whole.',
      facts: { length: text.length, limit: LONGEST_SUMMARY },
    })
  }
  return accepted(order, { type: 'memory.summarised', summary })
}
