import {
  type DiscoveryEvent,
  type FoundTool,
  type FoundToolState,
  normaliseQuery,
} from '../model/discovery-event.ts'
import type { Entry } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { currentTurn } from '../model/source-event.ts'

/** Searches of one turn that are kept: more than any loop guard compares. */
const RECENT_SEARCHES = 20

/** Applies an entry about finding tools. */
export function evolveDiscovery(
  state: WorkspaceState,
  { seq, event }: Omit<Entry, 'event'> & { readonly event: DiscoveryEvent },
): WorkspaceState {
  switch (event.type) {
    case 'tool_discovery_start':
      return state
    case 'tool_discovery_result': {
      // For any other stop there was no search, or no answer, so earlier results still count.
      if (event.stopped !== null && event.stopped !== 'empty-results') return state
      const empty = event.found.length === 0 && event.skills.length === 0
      const search = { query: normaliseQuery(event.query), empty, seq }
      return { ...state, searches: [...state.searches, search].slice(-RECENT_SEARCHES) }
    }
    case 'tools_enabled':
      return enable(state, event.tools, seq)
    case 'tools_evicted': {
      const gone = new Set(event.tools)
      return { ...state, found: state.found.filter(({ name }) => !gone.has(name)) }
    }
    case 'rules.sent': {
      const sent = new Set(event.topics.map(({ topic }) => topic))
      const others = state.rulesSent.filter(({ topic }) => !sent.has(topic))
      return { ...state, rulesSent: [...others, ...event.topics] }
    }
  }
}

/**
 * Adds tools to the found ones. A tool that is already there keeps its place, and its time starts
 * again.
 */
function enable(state: WorkspaceState, tools: readonly FoundTool[], seq: number): WorkspaceState {
  const turn = currentTurn(state)
  const found = new Map(state.found.map((one) => [one.name, one]))
  let added = 0
  for (const { name, owner, source, hash } of tools) {
    const known = found.get(name)
    const isSame = known?.owner === owner && known.source === source && known.hash === hash
    if (!isSame) added += 1
    const since = isSame ? known.since : seq
    const called = isSame && known.called
    found.set(name, {
      name,
      owner,
      source,
      hash,
      since,
      turn,
      lastTurn: turn,
      lastSeq: seq,
      called,
    })
  }
  const enabled = { ...state.enabled, tools: state.enabled.tools + added }
  return { ...state, found: [...found.values()], enabled }
}

/** Records a call of a found tool, and counts the found tools that were called at all. */
export function noteFoundCall(
  state: WorkspaceState,
  call: Pick<FoundTool, 'owner' | 'source' | 'hash'>,
  seq: number,
): Pick<WorkspaceState, 'found' | 'enabled'> {
  const { found, enabled } = state
  const isIt = (one: FoundToolState) =>
    one.hash === call.hash && one.owner === call.owner && one.source === call.source
  const it = found.find(isIt)
  if (it === undefined) return { found, enabled }
  const noted = { ...it, lastTurn: currentTurn(state), lastSeq: seq, called: true }
  return {
    found: found.map((one) => (one === it ? noted : one)),
    enabled: it.called ? enabled : { ...enabled, called: enabled.called + 1 },
  }
}
