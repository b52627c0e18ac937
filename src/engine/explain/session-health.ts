import type { ErrorType } from '../../tools/response/error-type.ts'
import type { DiscoveryEvent, SearchStop } from '../model/discovery-event.ts'
import type { Entry } from '../model/workspace-event.ts'
import { fold } from '../evolve/evolve.ts'
import type { IntentFailure } from '../model/intent-event.ts'

/** How the results of one tool were taken up into working memory. */
export interface ExtractionHealth {
  readonly tool: string
  /** Results that were looked at, and the entities that came of them. */
  readonly results: number
  readonly entities: number
  /** Drifts that were reported, and whether the latest results still give nothing. */
  readonly drifts: number
  readonly drifting: boolean
  /** What the last report said. */
  readonly message: string | null
}

/** What goes wrong in a session without stopping it: facts of its log, counted. */
export interface SessionHealth {
  readonly extraction: readonly ExtractionHealth[]
  readonly searches: {
    readonly total: number
    /** Nothing was found that fits. */
    readonly empty: number
    /** They were answered with advice to stop, and so was a skill that came and went in circles. */
    readonly stopped: number
    /** They were given up on before they had an answer. */
    readonly aborted: number
    /** They had to do without vectors. */
    readonly degraded: number
    /** Of the tools that searches enabled, the part that was called since; null without any. */
    readonly hitRate: number | null
  }
  /** Commands that hooks gave and that were refused, and changes that a hook failed. */
  readonly hooks: { readonly refused: number; readonly failed: number }
  /** Calls that were refused, and that failed, by code and by error type. */
  readonly calls: {
    readonly total: number
    readonly refused: Readonly<Partial<Record<string, number>>>
    readonly failed: Readonly<Partial<Record<ErrorType, number>>>
  }
  /** Intents that were not taken, by what is wrong with them, and that did not come about, by why. */
  readonly intents: {
    readonly dropped: Readonly<Partial<Record<string, number>>>
    readonly failed: Readonly<Partial<Record<IntentFailure, number>>>
  }
}

/** Judge a session by its entries. */
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
      return {
        tool,
        results: total,
        entities,
        drifts: reported.length,
        drifting,
        message,
      }
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
      dropped: tally(of('warning.given').flatMap(({ code }) => (isDropped(code) ? code : []))),
      failed: tally(of('intent.failed').map(({ code }) => code)),
    },
  }
}

/** Warnings of other kinds have codes that begin otherwise. */
function isDropped(code: string): boolean {
  return code.startsWith('intent-')
}

/** Whether a search found nothing; one that was not made may find what was found before. */
function isEmpty({ stopped, found, skills }: SearchResultEvent): boolean {
  const isAnswer = stopped === null || stopped === 'empty-results'
  return isAnswer && found.length + skills.length === 0
}

type SearchResultEvent = Extract<DiscoveryEvent, { type: 'tool_discovery_result' }>

/** How often each comes, the names as own keys whatever they are. */
function tally<Name extends string>(
  names: readonly Name[],
): Readonly<Partial<Record<Name, number>>> {
  const counts: Partial<Record<Name, number>> = Object.create(null)
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
