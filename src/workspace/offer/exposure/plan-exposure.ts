import type { RequestSegment } from '../../../engine/model/step-cost.ts'
import type { ExposureName, ExposureStrategy } from './exposure-strategy.ts'
import type { ProviderFacts } from './provider-facts.ts'

/** What is known of a session before it begins. */
export interface ExposureOutlook {
  readonly provider: ProviderFacts
  /** Tools the first request would carry if nothing were hidden; meta-tools among them. */
  readonly initialTools: number
  /** Meta-tools and pinned tools among those. */
  readonly pinnedTools: number
  /** Tools that skills may bring later. */
  readonly laterTools: number
  /** Skills that may be loaded later. */
  readonly loadableSkills: number
  /** A search finds tools, and what it would find is hidden. */
  readonly search: boolean
  /** `call_tool` and `tool_search` are offered, or may be. */
  readonly bridge: boolean
}

/** A strategy with what a usual session would cost under it, in tokens at the full input price. */
export interface ExposurePrice {
  readonly strategy: ExposureName
  readonly price: number
}

export interface ExposureChoice {
  readonly strategy: ExposureName
  /** For people: what decided it. */
  readonly why: string
  /** Cheapest first; strategies that cannot be had are left out. */
  readonly prices: readonly ExposurePrice[]
}

/**
 * The session that prices are worked out for: requests, tokens of instructions and of the
 * conversation halfway, tokens of a definition (the mean of a set of real servers is near it),
 * skills loaded and tools found. Only the order of the prices matters, and it changes little with
 * these figures; `bench/exposure.ts` measures real sessions.
 */
const TYPICAL_SESSION = {
  requests: 20,
  instructions: 1500,
  conversation: 6000,
  definition: 150,
  loads: 5,
  finds: 8,
} as const

/**
 * What a call through the bridge costs beside a plain one: some 40 tokens that the model writes
 * around it, at five times the price of reading; and every second call is one.
 */
const BRIDGED_CALL_PRICE = 200

/**
 * Pick the strategy that a usual session costs least under, from how the provider reads and prices
 * requests and from what may change. Where two cost the same, the one nearer to plain calling.
 */
export function planExposure(outlook: ExposureOutlook): ExposureChoice {
  const { provider, bridge } = outlook
  const possible: readonly ExposureName[] = [
    'active',
    'append',
    ...(provider.defers ? (['deferred'] as const) : []),
    ...(bridge ? (['bridge'] as const) : []),
  ]
  const prices = possible
    .map((strategy) => ({ strategy, price: Math.round(priceOf(strategy, outlook)) }))
    .sort((a, b) => a.price - b.price)
  const [{ strategy } = { strategy: 'active' as const }] = prices
  return { strategy, why: reasonFor(strategy, outlook), prices }
}

function changesOf({ laterTools, loadableSkills, search }: ExposureOutlook): number {
  const loads = laterTools === 0 ? 0 : Math.min(TYPICAL_SESSION.loads, loadableSkills)
  return loads + (search ? TYPICAL_SESSION.finds : 0)
}

function priceOf(strategy: ExposureName, outlook: ExposureOutlook): number {
  const { provider, initialTools, pinnedTools, laterTools, loadableSkills, search } = outlook
  const { requests, instructions, conversation, definition, finds } = TYPICAL_SESSION
  const loads = laterTools === 0 ? 0 : Math.min(TYPICAL_SESSION.loads, loadableSkills)
  const brought = loads * (laterTools / Math.max(1, loadableSkills)) + (search ? finds : 0)
  // Under a bridge the conversation lists the arguments of what the request leaves out.
  const start = (search ? pinnedTools : initialTools) * definition
  // What comes later is there for half of the session, in the request or in the conversation.
  const later = (brought * definition) / 2
  const whole = start + later + instructions + conversation
  const change = changesOf(outlook) * lostBy(strategy, start + later, provider)
  const calls = strategy === 'bridge' ? (requests / 2) * BRIDGED_CALL_PRICE : 0
  return requests * whole * provider.read + change * (provider.write - provider.read) + calls
}

/** Tokens that one change makes the provider read anew. */
function lostBy(strategy: ExposureName, tools: number, { order }: ProviderFacts): number {
  const place = order.indexOf('tools')
  const behind = order.slice(place + 1).reduce((sum, segment) => sum + sizeOf(segment), 0)
  switch (strategy) {
    case 'active':
      return tools / 2 + behind
    case 'append':
      return behind
    case 'deferred':
    case 'bridge':
      return 0
  }
}

function sizeOf(segment: RequestSegment): number {
  return segment === 'tools' ? 0 : TYPICAL_SESSION[segment]
}

function reasonFor(strategy: ExposureName, outlook: ExposureOutlook): string {
  const { name, order } = outlook.provider
  const behind = order.slice(order.indexOf('tools') + 1).join(' and ')
  switch (strategy) {
    case 'active':
      return changesOf(outlook) === 0
        ? 'No skill brings tools later and nothing is searched for, so the tools stay as they are.'
        : `For ${name}, reading anew costs no more than reading again, so tools are sent as they are.`
    case 'append':
      return `Tools come later, and ${name} offers no way to add them without reading the ${behind} anew: added at the end they lose least.`
    case 'deferred':
      return `Tools come later, and ${name} takes them into the conversation: nothing that was sent changes.`
    case 'bridge':
      return `Tools come later, and every one added to the request would make ${name} read the ${behind} anew: through call_tool the request stays as it is.`
  }
}

/** How the tools of a session reach its model, and why so. */
export interface ChosenExposure {
  readonly strategy: ExposureStrategy
  readonly provider: ProviderFacts
  /** For people. */
  readonly why: string
  /** What the planner compared; empty when the host chose. */
  readonly prices: readonly ExposurePrice[]
}
