import type { ErrorType } from '../../tools/response/error-type.ts'
import type { Entry, EventOf, WorkspaceEvent } from '../model/workspace-event.ts'
import { EMPTY_STATE } from '../model/workspace-state.ts'
import { fold } from '../evolve/evolve.ts'
import type { IntentFailure } from '../model/intent-event.ts'

/** The extraction of entities from the results of one tool. */
export interface ExtractionHealth {
  readonly tool: string
  /** Results that were examined, and entities that were found in them. */
  readonly results: number
  readonly entities: number
  /** Drifts that were reported. `drifting`: the latest results still give nothing. */
  readonly drifts: number
  readonly drifting: boolean
  /** The message of the latest report. */
  readonly message: string | null
}

/** Problems of a session that did not stop it, counted from its log. */
export interface SessionHealth {
  readonly extraction: readonly ExtractionHealth[]
  readonly searches: {
    readonly total: number
    /** Searches without a result. */
    readonly empty: number
    /**
     * Searches answered with advice to stop, including skills that were activated and deactivated
     * repeatedly.
     */
    readonly stopped: number
    /** Searches aborted before they were answered. */
    readonly aborted: number
    /** Searches that ran without vectors. */
    readonly degraded: number
    /** The part of the tools enabled by searches that was called since; null without any. */
    readonly hitRate: number | null
  }
  /** Commands from hooks that were refused, and changes that failed because of a hook. */
  readonly hooks: { readonly refused: number; readonly failed: number }
  /** Refused calls by code, and failed calls by error type. */
  readonly calls: {
    readonly total: number
    readonly refused: Readonly<Partial<Record<string, number>>>
    readonly failed: Readonly<Partial<Record<ErrorType, number>>>
  }
  /** Intents that were not accepted, by code, and intents that failed, by reason. */
  readonly intents: {
    readonly dropped: Readonly<Partial<Record<string, number>>>
    readonly failed: Readonly<Partial<Record<IntentFailure, number>>>
  }
}

/** The problems of a session, counted as its log grows. */
export class HealthTally {
  #state = EMPTY_STATE
  readonly #drifts = new Map<string, { readonly count: number; readonly message: string }>()
  readonly #searches = { total: 0, empty: 0, stopped: 0, aborted: 0, degraded: 0 }
  readonly #hooks = { refused: 0, failed: 0 }
  #calls = 0
  readonly #refused = counts<string>()
  readonly #failed = counts<ErrorType>()
  readonly #dropped = counts<string>()
  readonly #failedIntents = counts<IntentFailure>()

  /** Counts the next entries of the log. */
  add(entries: readonly Entry[]): void {
    this.#state = fold(entries, this.#state)
    for (const { event } of entries) this.#count(event)
  }

  report(): SessionHealth {
    const { extractions, enabled } = this.#state
    return {
      extraction: extractions.map(({ tool, results, entities, drifting }) => {
        const { count = 0, message = null } = this.#drifts.get(tool) ?? {}
        return { tool, results, entities, drifts: count, drifting, message }
      }),
      searches: {
        ...this.#searches,
        hitRate: enabled.tools === 0 ? null : enabled.called / enabled.tools,
      },
      hooks: { ...this.#hooks },
      calls: { total: this.#calls, refused: counts(this.#refused), failed: counts(this.#failed) },
      intents: { dropped: counts(this.#dropped), failed: counts(this.#failedIntents) },
    }
  }

  #count(event: WorkspaceEvent): void {
    if (event.type === 'extraction.drifted') {
      const { count = 0 } = this.#drifts.get(event.tool) ?? {}
      this.#drifts.set(event.tool, { count: count + 1, message: event.message })
    } else if (event.type === 'tool_discovery_result') this.#countSearch(event)
    else if (event.type === 'command.refused') {
      if (event.code === 'inside-hook') this.#hooks.refused += 1
      if (event.command === 'call.start') increment(this.#refused, event.code)
    } else if (event.type === 'activation.failed' || event.type === 'skill.broken') {
      this.#hooks.failed += 1
    } else if (event.type === 'call.started') this.#calls += 1
    else if (event.type === 'call.ended') {
      if (event.error !== null) increment(this.#failed, event.error)
    } else if (event.type === 'warning.given') {
      if (event.code.startsWith('intent-')) increment(this.#dropped, event.code)
    } else if (event.type === 'intent.failed') increment(this.#failedIntents, event.code)
  }

  #countSearch(search: EventOf<'tool_discovery_result'>): void {
    const { stopped, degraded } = search
    if (stopped !== 'flapping') this.#searches.total += 1
    if (isEmpty(search)) this.#searches.empty += 1
    if (stopped === 'aborted') this.#searches.aborted += 1
    else if (stopped !== null) this.#searches.stopped += 1
    if (degraded !== null) this.#searches.degraded += 1
  }
}

/** Returns true when a search found nothing. A search that was not made does not count. */
function isEmpty({ stopped, found, skills }: EventOf<'tool_discovery_result'>): boolean {
  const isAnswer = stopped === null || stopped === 'empty-results'
  return isAnswer && found.length + skills.length === 0
}

type Counts<Name extends string> = Partial<Record<Name, number>>

/** Returns a copy of counts. It has no prototype, so any name can be a key. */
function counts<Name extends string>(from: Counts<Name> = {}): Counts<Name> {
  return Object.assign(Object.create(null) as Counts<Name>, from)
}

function increment<Name extends string>(counted: Counts<Name>, name: Name): void {
  counted[name] = (counted[name] ?? 0) + 1
}
