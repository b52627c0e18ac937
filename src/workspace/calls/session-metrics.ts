import type { ToolSource } from '../../engine/model/source-event.ts'
import type { Entry, WorkspaceEvent } from '../../engine/model/workspace-event.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'

/** Whose a tool is. */
type ToolOwner = Pick<ToolMetrics, 'tool' | 'source' | 'owner'>

interface Tallies {
  readonly total: CallTally
  readonly tools: Map<string, { readonly holder: ToolOwner; readonly tally: CallTally }>
  readonly skills: Map<string, CallTally>
  readonly sources: Map<ToolSource, CallTally>
}

/** A call that started, and what it counts for. */
interface CountedCall {
  readonly tallies: readonly CallTally[]
  /** Milliseconds; null without a target. */
  readonly target: number | null
}

/** Add up the calls of several sessions, as if they were one: for all users of a host. */
export async function collectMetrics(
  workspaces: Iterable<{ entries(): Promise<readonly Entry[]> }>,
): Promise<SessionMetrics> {
  return sessionMetrics(await Promise.all([...workspaces].map((one) => one.entries())))
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
  const holders = new Map<string, ToolOwner>()
  const calls = new Map<string, CountedCall>()
  const named = (name: string) =>
    talliesOf(holders.get(name) ?? { tool: name, source: null, owner: null }, all)
  for (const [index, { event }] of entries.entries()) {
    if (event.type === 'source.opened') noteOwners(holders, event)
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
  holder: ToolOwner,
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
function noteOwners(
  holders: Map<string, ToolOwner>,
  { source, owner, claims }: Extract<WorkspaceEvent, { type: 'source.opened' }>,
): void {
  for (const { name } of claims) {
    const holder = { tool: name, source, owner }
    holders.set(name, holder)
    holders.set(`${owner}/${name}`, holder)
    holders.set(`${source}:${owner}/${name}`, holder)
  }
}

/** How long calls took, in milliseconds: the shortest time that so many of a hundred did not exceed. */
export interface Durations {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** What became of some calls. */
export interface CallMetrics {
  /** Those that started, and how many of them have neither ended nor been given up. */
  readonly calls: number
  readonly running: number
  readonly succeeded: number
  readonly failed: Readonly<Partial<Record<ErrorType, number>>>
  /** Nobody knows how they ended: their process died. */
  readonly abandoned: number
  /** Those that never started, by the code of the refusal; that a person was asked is none. */
  readonly refused: Readonly<Record<string, number>>
  /** Confirmations asked for. */
  readonly asked: number
  /** Attempts after the first, of calls that were tried again. */
  readonly retries: number
  /** Of all that ended, whatever came of them; null when none did. */
  readonly durationMs: Durations | null
  /** Those that ended and had a latency target, and how many took longer. */
  readonly withTarget: number
  readonly overTarget: number
  /** Of the calls that ended and whose tokens were counted, and how many those are. */
  readonly tokens: {
    readonly calls: number
    readonly arguments: number
    readonly results: number
  }
}

export interface ToolMetrics extends CallMetrics {
  readonly tool: string
  /** Null for a name that nobody had registered when its call was refused. */
  readonly source: ToolSource | null
  readonly owner: string | null
}

/** What became of the calls of a session, or of several, since their metrics were reset. */
export interface SessionMetrics {
  readonly total: CallMetrics
  /** By tool of an owner, those called first first. */
  readonly tools: readonly ToolMetrics[]
  readonly skills: readonly (CallMetrics & { readonly skill: string })[]
  readonly sources: readonly (CallMetrics & { readonly source: ToolSource })[]
}

type Ended = Extract<WorkspaceEvent, { type: 'call.ended' }>

/** Counts some calls. Durations are kept one by one, so percentiles are exact. */
class CallTally {
  readonly #failed = new Map<string, number>()
  readonly #refused = new Map<string, number>()
  readonly #durations: number[] = []
  #calls = 0
  #succeeded = 0
  #abandoned = 0
  #asked = 0
  #retries = 0
  #withTarget = 0
  #overTarget = 0
  #tokens = { calls: 0, arguments: 0, results: 0 }

  started(): void {
    this.#calls += 1
  }

  refused(code: string): void {
    increment(this.#refused, code)
  }

  asked(): void {
    this.#asked += 1
  }

  abandoned(): void {
    this.#abandoned += 1
  }

  /** @param target what the call should have stayed under, in milliseconds */
  ended({ ok, error, durationMs, tokens, attempts = 1 }: Ended, target: number | null): void {
    if (ok) this.#succeeded += 1
    else increment(this.#failed, error ?? 'INTERNAL')
    this.#durations.push(durationMs)
    this.#retries += attempts - 1
    if (target !== null) {
      this.#withTarget += 1
      if (durationMs > target) this.#overTarget += 1
    }
    if (tokens === undefined) return
    this.#tokens.calls += 1
    this.#tokens.arguments += tokens.arguments
    this.#tokens.results += tokens.result
  }

  metrics(): CallMetrics {
    const ended = this.#durations.length
    return {
      calls: this.#calls,
      running: this.#calls - ended - this.#abandoned,
      succeeded: this.#succeeded,
      failed: record(this.#failed),
      abandoned: this.#abandoned,
      refused: record(this.#refused),
      asked: this.#asked,
      retries: this.#retries,
      durationMs: percentiles(this.#durations),
      withTarget: this.#withTarget,
      overTarget: this.#overTarget,
      tokens: { ...this.#tokens },
    }
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Names as own members, whatever they are. */
function record(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.assign(Object.create(null), Object.fromEntries(counts)) as Record<string, number>
}

/** Percentiles by nearest rank: each is a duration that was measured. Null without any. */
export function percentiles(measured: readonly number[]): Durations | null {
  const sorted = Float64Array.from(measured).sort()
  const at = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0
  return sorted.length === 0 ? null : { p50: at(50), p95: at(95), p99: at(99), max: at(100) }
}
