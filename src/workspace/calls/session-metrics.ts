import type { Entry, WorkspaceEvent } from '../../engine/model/event.ts'
import type { ToolSource } from '../../engine/model/tool-source.ts'
import type { SessionMetrics, ToolMetrics } from './call-metrics.ts'
import { CallTally } from './call-tally.ts'

/** Whose a tool is. */
type Holder = Pick<ToolMetrics, 'tool' | 'source' | 'owner'>

interface Tallies {
  readonly total: CallTally
  readonly tools: Map<string, { readonly holder: Holder; readonly tally: CallTally }>
  readonly skills: Map<string, CallTally>
  readonly sources: Map<ToolSource, CallTally>
}

/** A call that started, and what it counts for. */
interface CountedCall {
  readonly tallies: readonly CallTally[]
  /** Milliseconds; null without a target. */
  readonly target: number | null
}

/** Add up what the logs of some sessions tell of their calls, each since its metrics were reset. */
export function sessionMetrics(logs: Iterable<readonly Entry[]>): SessionMetrics {
  const tallies: Tallies = {
    total: new CallTally(),
    tools: new Map(),
    skills: new Map(),
    sources: new Map(),
  }
  for (const entries of logs) count(entries, tallies)
  const { total, tools, skills, sources } = tallies
  return {
    total: total.metrics(),
    tools: [...tools.values()].map(({ holder, tally }) => ({ ...holder, ...tally.metrics() })),
    skills: [...skills].map(([skill, tally]) => ({ skill, ...tally.metrics() })),
    sources: [...sources].map(([source, tally]) => ({ source, ...tally.metrics() })),
  }
}

function count(entries: readonly Entry[], all: Tallies): void {
  const reset = entries.findLastIndex(({ event }) => event.type === 'metrics.reset')
  const holders = new Map<string, Holder>()
  const calls = new Map<string, CountedCall>()
  const named = (name: string) =>
    talliesOf(holders.get(name) ?? { tool: name, source: null, owner: null }, all)
  for (const [index, { event }] of entries.entries()) {
    if (event.type === 'source.opened') noteHolders(holders, event)
    if (index <= reset) continue
    if (event.type === 'call.started') {
      const { tool, source, owner, targetMs = null } = event
      const tallies = talliesOf({ tool, source, owner }, all)
      calls.set(event.call, { tallies, target: targetMs })
      for (const tally of tallies) tally.started()
    } else if (event.type === 'call.ended' || event.type === 'call.abandoned') {
      // Unknown: it started before the metrics were reset.
      const { tallies = [], target = null } = calls.get(event.call) ?? {}
      calls.delete(event.call)
      for (const tally of tallies) {
        if (event.type === 'call.ended') tally.ended(event, target)
        else tally.abandoned()
      }
    } else if (event.type === 'command.refused' && event.command === 'call.start') {
      for (const tally of named(event.subject)) tally.refused(event.code)
    } else if (event.type === 'confirmation.asked') {
      for (const tally of named(event.tool)) tally.asked()
    }
  }
}

/** All that a call of a tool counts for. */
function talliesOf(
  holder: Holder,
  { total, tools, skills, sources }: Tallies,
): readonly CallTally[] {
  const { tool, source, owner } = holder
  const key = JSON.stringify([source, owner, tool])
  const known = tools.get(key) ?? { holder, tally: new CallTally() }
  tools.set(key, known)
  const tallies = [total, known.tally]
  if (source !== null) tallies.push(tallyOf(sources, source))
  if (source === 'skill' && owner !== null) tallies.push(tallyOf(skills, owner))
  return tallies
}

function tallyOf<Key>(tallies: Map<Key, CallTally>, key: Key): CallTally {
  const known = tallies.get(key) ?? new CallTally()
  tallies.set(key, known)
  return known
}

/** Who registered a name last, by the name and by its addresses: a refusal tells only what was asked for. */
function noteHolders(
  holders: Map<string, Holder>,
  { source, owner, claims }: Extract<WorkspaceEvent, { type: 'source.opened' }>,
): void {
  for (const { name } of claims) {
    const holder = { tool: name, source, owner }
    holders.set(name, holder)
    holders.set(`${owner}/${name}`, holder)
    holders.set(`${source}:${owner}/${name}`, holder)
  }
}
