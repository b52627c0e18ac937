import type { ProviderUsage, ReportedStep } from '../../../engine/model/provider-report.ts'
import { requestTokens, type StepCost } from '../../../engine/model/step-cost.ts'
import { factsOfCost, type ProviderFacts } from './provider-facts.ts'

/** The causes of a difference between the cost of a step and the report of its provider. */
export type DeviationKind =
  /** The cache had kept the prefix for as long as it does. */
  | 'time-to-live'
  /** The request was shorter than the provider's least prefix. */
  | 'below-minimum'
  /** Another model answered the request before. */
  | 'other-model'
  /** The host changed instructions, tools or messages of its own, or a parameter. */
  | 'host-change'
  /** The adapter wrote the same tools in another way. */
  | 'ours'
  /** A breakpoint for the cache was missing. */
  | 'no-breakpoint'
  /** The cache had a prefix of an earlier request, of this or another session. */
  | 'earlier-request'
  | 'unknown'

/** A difference between the cost of a step and the report of its provider. */
export interface UsageDeviation {
  readonly kind: DeviationKind
  /** The cached tokens that follow from the cost, in tokens of the provider. */
  readonly expected: number
  readonly cached: number
  /** For people. */
  readonly why: string
}

/** The tokens of one request as predicted, next to those that its provider reported. */
export interface StepUsage {
  readonly step: number
  readonly model: string | null
  /** In tokens of the session's tokenizer; null for a step without a recorded cost. */
  readonly predicted: { readonly input: number; readonly cached: number } | null
  readonly reported: ProviderUsage
  /** The provider's own word about its cache; null without one. */
  readonly diagnosis: string | null
  /** Null when the report confirms the cost, or cannot say. */
  readonly deviation: UsageDeviation | null
}

/**
 * Compares a report with the cost of its step.
 *
 * @param before the report before
 * @param known the facts of the session, for a provider that Loadout does not know
 */
export function stepUsage(
  last: ReportedStep,
  before: ReportedStep | null,
  known: ProviderFacts,
): StepUsage {
  const { step, cost, report } = last
  return {
    step,
    model: report.model ?? null,
    predicted: cost && { input: requestTokens(cost), cached: cost.kept },
    reported: report.usage,
    diagnosis: report.diagnosis?.reason ?? null,
    deviation: cost && judgeReport({ ...last, cost }, before, factsOfCost(cost, known)),
  }
}

type CostedStep = ReportedStep & { readonly cost: StepCost }

/** The share, and the number, of tokens that counts of providers may differ by without a cause. */
const SLACK = { share: 0.05, tokens: 64 }

/** The same where a request changed, and the session's tokenizer decides how much is before the change. */
const SLACK_OF_PART = 0.25

function judgeReport(
  last: CostedStep,
  before: ReportedStep | null,
  facts: ProviderFacts,
): UsageDeviation | null {
  const { cost, report } = last
  const { cached } = report.usage
  if (cached === undefined) return null
  // Facts that are assumed, and a server that may not report its cache.
  if (facts.name === 'compatible' && cached === 0) return null
  if (cost.previous === 0) return cached > SLACK.tokens ? moreThan(0, cached) : null
  // Without the report of the request before, its size in the provider's tokens is not known.
  if (!before?.cost || before.step !== last.step - 1) return null
  const { input, output } = before.report.usage
  const scale = input / Math.max(1, requestTokens(before.cost))
  const kept = cost.changed === null ? input : Math.round(cost.kept * scale)
  const slack =
    kept * (cost.changed === null ? SLACK.share : SLACK_OF_PART) + SLACK.tokens + facts.grain
  const most = kept + (cost.changed === null ? output : 0)
  if (cached > most + slack) return moreThan(kept, cached)
  const expected = leastCached(cost, kept, scale, facts)
  if (cached >= expected - slack) return null
  const { kind, why } = causeOfMiss(last, before, facts)
  return { kind, expected, cached, why }
}

function moreThan(expected: number, cached: number): UsageDeviation {
  const why =
    'The cache had more of this request: an earlier request, of this or another session, began in the same way.'
  return { kind: 'earlier-request', expected, cached, why }
}

/** Returns the tokens that the cache should have: of a request that changed, the segments before the change. */
function leastCached(
  { kept: own, changed, order, provider, tokens }: StepCost,
  kept: number,
  scale: number,
  { minimum }: ProviderFacts,
): number {
  if (own < minimum) return 0
  if (changed === null) return kept
  // Others may have cached nothing but the complete request, and so may agents of others, by where they set breakpoints.
  if (provider !== 'anthropic' || changed.text !== undefined) return 0
  const whole = order.slice(0, order.indexOf(changed.segment))
  const least = whole.reduce((sum, segment) => sum + tokens[segment], 0)
  return least < minimum ? 0 : Math.round(least * scale)
}

/** The least prefixes that models of known providers cache: 4,096 tokens for some. */
const LARGEST_MINIMUM = 4096

function causeOfMiss(
  { at, cost, report }: CostedStep,
  before: ReportedStep,
  facts: ProviderFacts,
): Pick<UsageDeviation, 'kind' | 'why'> {
  const earlier = before.report
  const { usage, model, diagnosis, host, wrote, unmarked, lifetimeMs = facts.lifetimeMs } = report
  const word = diagnosis?.reason ?? ''
  if (model !== earlier.model || word === 'model_changed') {
    const why = `${earlier.model ?? 'Another model'} answered the request before, and each model has a cache of its own.`
    return { kind: 'other-model', why }
  }
  if (unmarked === true || earlier.unmarked === true) {
    const why = 'The request, or the one before, had no breakpoint for the cache.'
    return { kind: 'no-breakpoint', why }
  }
  if (host !== earlier.host) {
    return { kind: 'host-change', why: 'The host changed its own instructions or tools.' }
  }
  if (wrote !== earlier.wrote && cost.changed?.segment !== 'tools') {
    const why = 'The adapter wrote the same tools in another way than for the request before.'
    return { kind: 'ours', why }
  }
  if (word.endsWith('_changed') || word === 'context_compacted') {
    const why = `The provider says "${word}", and the request that Loadout returned had not changed: the host changed it afterwards.`
    return { kind: 'host-change', why }
  }
  const { input, written } = earlier.usage
  const isUncached = usage.cached === 0 && (usage.written ?? 0) === 0
  // A provider that says what it writes says so of a request that is long enough.
  const least = written === undefined ? facts.minimum : LARGEST_MINIMUM
  if (isUncached && input < least) {
    const why = `The request before had ${input} tokens, which is less than the model caches.`
    return { kind: 'below-minimum', why }
  }
  const idle = at - before.at
  if (lifetimeMs !== undefined && idle > lifetimeMs) {
    const minutes = (ms: number) => `${Math.round(ms / 6_000) / 10} minutes`
    const why = `No request for ${minutes(idle)}, and the cache keeps one for ${minutes(lifetimeMs)}.`
    return { kind: 'time-to-live', why }
  }
  return { kind: 'unknown', why: 'The provider did not say why.' }
}
