import type { StepCost } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

/** The tokens that a provider counted for one request and its answer. */
export interface ProviderUsage {
  /** All tokens of the prompt, those of its cache included. */
  readonly input: number
  /** The tokens of the prompt that were read from the cache; absent where the provider does not say. */
  readonly cached?: number
  /** The tokens of the prompt that were written to the cache; absent where the provider does not say. */
  readonly written?: number
  readonly output: number
  /** The tokens of the output that are reasoning; absent where the provider does not say. */
  readonly reasoning?: number
}

/** A provider's own account of one answer. */
export interface ProviderReport {
  readonly usage: ProviderUsage
  /** The model that answered, as the provider names it. */
  readonly model?: string
  /** The provider's diagnosis of its cache, where one was asked for. */
  readonly diagnosis?: {
    /** In the provider's words, such as `tools_changed` or `cache_hit`. */
    readonly reason: string
    /** The tokens that the cache would have had. */
    readonly missed?: number
  }
  /** The end of a hash of the host's own instructions and tools, which the cost of the step does not include. */
  readonly host?: string
  /** The end of a hash of the tools as the adapter wrote them, without deferred ones. */
  readonly wrote?: string
  /** True when the request had no breakpoint for a cache that needs one. */
  readonly unmarked?: boolean
  /** The time for which the cache keeps what was sent; that of the provider when absent. */
  readonly lifetimeMs?: number
}

/** The answer to the request of a step. */
export interface ReportEvent extends ProviderReport {
  readonly type: 'step.reported'
  readonly step: number
  /** The texts of the answer, stored under these hashes. Only in the log of another agent. */
  readonly said?: readonly ContentHash[]
}

/** A command about the figures of a session. */
export type FigureCommand =
  | { readonly type: 'metrics.reset' }
  | (Omit<ReportEvent, 'type' | 'said'> & { readonly type: 'step.report' })

/** The request of a step. */
interface BegunStep {
  readonly step: number
  readonly at: number
  /** Null for a step without a recorded cost. */
  readonly cost: StepCost | null
}

/** A report with the request that it is about. */
export interface ReportedStep extends BegunStep {
  readonly report: ProviderReport
}

/** The reports of providers in a session. */
export interface ReportedState {
  readonly reported: {
    /** The last step; null before the first. */
    readonly begun: BegunStep | null
    readonly last: ReportedStep | null
    /** The report before the last one. */
    readonly before: ReportedStep | null
    /** All reports together. */
    readonly steps: number
    readonly total: Required<ProviderUsage>
    /** The costs of the same steps, in tokens of the session's tokenizer. */
    readonly predicted: { readonly input: number; readonly cached: number }
  }
}

export const EMPTY_REPORTED: ReportedState = {
  reported: {
    begun: null,
    last: null,
    before: null,
    steps: 0,
    total: { input: 0, cached: 0, written: 0, output: 0, reasoning: 0 },
    predicted: { input: 0, cached: 0 },
  },
}
