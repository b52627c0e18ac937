import type { ToolSource } from '../../engine/model/tool-source.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'

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
