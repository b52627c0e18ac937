import type { ToolSource } from '../../engine/model/source-event.ts'
import type { Entry, WorkspaceEvent } from '../../engine/model/workspace-event.ts'
import { checkKind } from '../../kernel/check-options.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'
import type { EventLog } from '../log/event-log.ts'

/** A tool and its owner. */
type OwnedTool = Pick<ToolMetrics, 'tool' | 'source' | 'owner'>

interface Tallies {
  readonly total: CallTally
  readonly tools: Map<string, { readonly owned: OwnedTool; readonly tally: CallTally }>
  readonly skills: Map<string, CallTally>
  readonly sources: Map<ToolSource, CallTally>
}

/** A started call, and the tallies that count it. */
interface CountedCall {
  readonly tallies: readonly CallTally[]
  /** Milliseconds; null without a target. */
  readonly target: number | null
}

/** Computes the metrics of several sessions as if they were one, for all users of a host. */
export async function collectMetrics(
  workspaces: Iterable<{ entries(): Promise<readonly Entry[]> }>,
): Promise<SessionMetrics> {
  checkKind(workspaces, 'workspaces', 'iterable')
  return sessionMetrics(await Promise.all([...workspaces].map((one) => one.entries())))
}

/** Computes metrics from the complete logs of sessions, of each since its metrics were reset. */
function sessionMetrics(logs: Iterable<readonly Entry[]>): SessionMetrics {
  const tallies = newTallies()
  for (const entries of logs) count(entries, { owners: new Map(), calls: new Map() }, tallies)
  return metricsOf(tallies)
}

/** The metrics of one session, which grow with its log. */
export class MetricsTally {
  readonly #names: NamesOfLog = { owners: new Map(), calls: new Map() }
  #tallies = newTallies()

  /** Counts the next entries of the log. */
  add(entries: readonly Entry[]): void {
    if (entries.some(({ event }) => event.type === 'metrics.reset')) this.#tallies = newTallies()
    count(entries, this.#names, this.#tallies)
  }

  report(): SessionMetrics {
    return metricsOf(this.#tallies)
  }
}

/** Entries that are read at a time. */
const PAGE = 1_000

/** A tally of a session's log, which reads each entry once. */
export class LogTally<Report> {
  readonly #tally: { add(entries: readonly Entry[]): void; report(): Report }
  readonly #inTurn = serialQueue()
  #next = 0

  constructor(tally: { add(entries: readonly Entry[]): void; report(): Report }) {
    this.#tally = tally
  }

  /** Counts what is new in the log, and returns the report. */
  report(log: EventLog, session: string): Promise<Report> {
    return this.#inTurn(async () => {
      for (;;) {
        const page = await log.read(session, this.#next, this.#next + PAGE - 1)
        this.#tally.add(page)
        this.#next += page.length
        if (page.length < PAGE) return this.#tally.report()
      }
    })
  }
}

function newTallies(): Tallies {
  return { total: new CallTally(), tools: new Map(), skills: new Map(), sources: new Map() }
}

function metricsOf({ total, tools, skills, sources }: Tallies): SessionMetrics {
  return {
    total: total.metrics(),
    tools: [...tools.values()].map(({ owned, tally }) => ({ ...owned, ...tally.metrics() })),
    skills: [...skills].map(([skill, tally]) => ({ skill, ...tally.metrics() })),
    sources: [...sources].map(([source, tally]) => ({ source, ...tally.metrics() })),
  }
}

/** The owners of names and the running calls of one log, up to the last counted entry. */
interface NamesOfLog {
  readonly owners: Map<string, OwnedTool>
  readonly calls: Map<string, CountedCall>
}

function count(entries: readonly Entry[], { owners, calls }: NamesOfLog, all: Tallies): void {
  const reset = entries.findLastIndex(({ event }) => event.type === 'metrics.reset')
  if (reset !== -1) calls.clear()
  const named = (name: string) =>
    talliesOf(owners.get(name) ?? { tool: name, source: null, owner: null }, all)
  for (const [index, { event }] of entries.entries()) {
    if (event.type === 'source.opened' || event.type === 'source.synced') noteOwners(owners, event)
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

/** Returns all tallies that count a call of a tool. */
function talliesOf(
  owned: OwnedTool,
  { total, tools, skills, sources }: Tallies,
): readonly CallTally[] {
  const { tool, source, owner } = owned
  const key = JSON.stringify([source, owner, tool])
  const known = tools.get(key) ?? { owned, tally: new CallTally() }
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

/** Notes the latest owner of each name, by name and by address: a refusal only has the requested name. */
function noteOwners(
  owners: Map<string, OwnedTool>,
  { source, owner, claims }: Extract<WorkspaceEvent, { type: 'source.opened' | 'source.synced' }>,
): void {
  for (const { name } of claims) {
    const owned = { tool: name, source, owner }
    owners.set(name, owned)
    owners.set(`${owner}/${name}`, owned)
    owners.set(`${source}:${owner}/${name}`, owned)
  }
}

/** Percentiles of the durations of calls, in milliseconds. */
export interface Durations {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Figures about some calls. */
export interface CallMetrics {
  /** Calls that started, and how many of them have neither ended nor been abandoned. */
  readonly calls: number
  readonly running: number
  readonly succeeded: number
  readonly failed: Readonly<Partial<Record<ErrorType, number>>>
  /** Calls whose process died; their outcome is unknown. */
  readonly abandoned: number
  /** Calls that never started, by the code of the refusal. A question to a person is no refusal. */
  readonly refused: Readonly<Record<string, number>>
  /** Confirmations asked for. */
  readonly asked: number
  /** Attempts after the first, of calls that were tried again. */
  readonly retries: number
  /** Of all calls that ended, successful or not; null when none did. */
  readonly durationMs: Durations | null
  /** Calls that ended and had a latency target, and how many took longer. */
  readonly withTarget: number
  readonly overTarget: number
  /** Tokens of the calls that ended and were counted, and the number of those calls. */
  readonly tokens: {
    readonly calls: number
    readonly arguments: number
    readonly results: number
  }
}

export interface ToolMetrics extends CallMetrics {
  readonly tool: string
  /** Null for a name that was not registered when its call was refused. */
  readonly source: ToolSource | null
  readonly owner: string | null
}

/** Figures about the calls of one or more sessions, since their metrics were reset. */
export interface SessionMetrics {
  readonly total: CallMetrics
  /** By tool and owner, in the order of their first calls. */
  readonly tools: readonly ToolMetrics[]
  readonly skills: readonly (CallMetrics & { readonly skill: string })[]
  readonly sources: readonly (CallMetrics & { readonly source: ToolSource })[]
}

type Ended = Extract<WorkspaceEvent, { type: 'call.ended' }>

/** Counts calls. It keeps every duration, so percentiles are exact. */
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

  /** @param target the latency target of the call, in milliseconds */
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

/** Copies counts into an object without a prototype, so that any name is an own member. */
function record(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.assign(Object.create(null), Object.fromEntries(counts)) as Record<string, number>
}

/** Computes percentiles by nearest rank: each is a measured duration. Null without durations. */
export function percentiles(measured: readonly number[]): Durations | null {
  const sorted = Float64Array.from(measured).sort()
  const at = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0
  return sorted.length === 0 ? null : { p50: at(50), p95: at(95), p99: at(99), max: at(100) }
}
