import type { ProviderReport } from '../../engine/model/provider-report.ts'
import { checkOptions, type OptionsOf } from '../../kernel/check-options.ts'
import { type UsageReport, UsageTally } from '../offer/exposure/usage-tally.ts'
import { HealthTally, type SessionHealth } from '../../engine/explain/session-health.ts'
import type { ServerHealth } from '../../tools/definition/tool-server.ts'
import { LogTally, MetricsTally, type SessionMetrics } from '../calls/session-metrics.ts'
import { checkCommand, type CommandOptions, type Outcome } from '../commands/outcome.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import {
  type PromptRequest,
  type WorkspaceLedger,
  workspaceLedger,
  type WorkspacePrompt,
} from '../offer/workspace-document.ts'

/** Figures about a session: its calls, its problems, and the tokens of its prompt. */
export interface WorkspaceFigures {
  /** The name of the tokenizer that all token counts of this session use. */
  readonly tokenizer: string
  /**
   * Returns figures about all calls of the session, from every process: how many, how long, how they
   * failed, by tool, skill and source. Counted from the log, of which later calls read only what is new.
   */
  metrics(): Promise<SessionMetrics>
  /** Restarts the metrics. The log keeps the earlier entries, and `health` counts them. */
  resetMetrics(options?: CommandOptions): Promise<Outcome>
  /**
   * Returns what went wrong without stopping the session: results from which working memory extracted
   * nothing, searches without results, failed hooks, refused calls and intents that were not applied,
   * counted from the log as for `metrics`; and the late results of this process.
   */
  health(): Promise<SessionHealth & { readonly lateResults: number }>
  /**
   * Returns the health of each server that this process has attached, or connected for a skill: the state of its connection
   * since when and why, the last lines that its program wrote, and the variables that it does not get.
   */
  servers(): readonly ServerHealth[]
  /**
   * Returns the tokens of the prompt by section, source, skill and tool; what the last request kept of the
   * one before; and what each deactivation would free and lose.
   */
  ledger(request?: PromptRequest): WorkspaceLedger
  /**
   * Returns the tokens that providers reported for each request, next to those that were predicted, with the cause of
   * each difference where it can be known. Counted from the log as for `metrics`.
   */
  usage(): Promise<UsageReport>
  /**
   * Records what a provider reported for the answer to the last step. The adapters do so themselves; call it in a loop
   * of your own. A second report of a step changes nothing.
   */
  report(report: ProviderReport & { readonly step?: number }): Promise<Outcome>
}

const REPORT_OPTIONS: OptionsOf<ProviderReport & { readonly step?: number }> = {
  step: 'number',
  usage: {
    input: 'number',
    cached: 'number',
    written: 'number',
    output: 'number',
    reasoning: 'number',
  },
  model: 'text',
  diagnosis: { reason: 'text', missed: 'number' },
  host: 'text',
  wrote: 'text',
  unmarked: 'switch',
  lifetimeMs: 'number',
}

export function createFigures(
  parts: SessionParts,
  workspace: { prompt(request?: PromptRequest): WorkspacePrompt },
): WorkspaceFigures {
  const { log, session, dispatcher } = parts
  const metrics = new LogTally(new MetricsTally())
  const problems = new LogTally(new HealthTally())
  const usage = new LogTally(new UsageTally(parts.exposure.provider))
  return {
    tokenizer: parts.counter.name,
    metrics: () => metrics.report(log, session),
    resetMetrics: async (options) => {
      checkCommand({}, options, {})
      return dispatcher.dispatch({ type: 'metrics.reset' }, { by: options?.by ?? 'host' })
    },
    health: async () => {
      const health = await problems.report(log, session)
      return { ...health, lateResults: parts.inFlight.late }
    },
    servers: () => parts.servers.healths(),
    usage: () => usage.report(log, session),
    report: async (given) => {
      checkOptions(given, REPORT_OPTIONS)
      const { step = parts.store.getState().state.step, ...report } = given
      return dispatcher.dispatch({ type: 'step.report', step, ...report }, { by: 'host' })
    },
    ledger: (request) => workspaceLedger(workspace.prompt(request).ledger, parts),
  }
}
