import type { ErrorType } from '../../tools/response/error-type.ts'
import type { SearchStop } from '../model/discovery-event.ts'
import type { Entry, EventOf } from '../model/workspace-event.ts'
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

/** Counts the problems of a session in its entries. */
export function sessionHealth(entries: readonly Entry[]): SessionHealth {
  const events = entries.map(({ event }) => event)
  const of = <Type extends (typeof events)[number]['type']>(type: Type) =>
    events.filter((event): event is Extract<typeof event, { type: Type }> => event.type === type)
  const { extractions, enabled } = fold(entries)
  const drifts = of('extraction.drifted')
  const results = of('tool_discovery_result')
  const stopped = (...why: readonly SearchStop[]) =>
    results.filter((one) => one.stopped !== null && why.includes(one.stopped)).length
  const refusals = of('command.refused')
  return {
    extraction: extractions.map(({ tool, results: total, entities, drifting }) => {
      const reported = drifts.filter((one) => one.tool === tool)
      const message = reported.at(-1)?.message ?? null
      return { tool, results: total, entities, drifts: reported.length, drifting, message }
    }),
    searches: {
      total: results.length - stopped('flapping'),
      empty: results.filter(isEmpty).length,
      stopped: stopped('same-query', 'empty-results', 'flapping'),
      aborted: stopped('aborted'),
      degraded: results.filter(({ degraded }) => degraded !== null).length,
      hitRate: enabled.tools === 0 ? null : enabled.called / enabled.tools,
    },
    hooks: {
      refused: refusals.filter(({ code }) => code === 'inside-hook').length,
      failed: of('activation.failed').length + of('skill.broken').length,
    },
    calls: {
      total: of('call.started').length,
      refused: tally(
        refusals.filter(({ command }) => command === 'call.start').map(({ code }) => code),
      ),
      failed: tally(of('call.ended').flatMap(({ error }) => error ?? [])),
    },
    intents: {
      dropped: tally(
        of('warning.given').flatMap(({ code }) => (code.startsWith('intent-') ? code : [])),
      ),
      failed: tally(of('intent.failed').map(({ code }) => code)),
    },
  }
}

/** Returns true when a search found nothing. A search that was not made does not count. */
function isEmpty({ stopped, found, skills }: EventOf<'tool_discovery_result'>): boolean {
  const isAnswer = stopped === null || stopped === 'empty-results'
  return isAnswer && found.length + skills.length === 0
}

/** Counts each name. The object has no prototype, so any name can be a key. */
function tally<Name extends string>(
  names: readonly Name[],
): Readonly<Partial<Record<Name, number>>> {
  const counts: Partial<Record<Name, number>> = Object.create(null)
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
