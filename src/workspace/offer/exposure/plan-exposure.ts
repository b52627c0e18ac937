import type { RequestSegment } from '../../../engine/model/step-cost.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import { type ExposureName, type ExposureStrategy, EXPOSURES } from './exposure-strategy.ts'
import { factsOfFamily, type ProviderFacts } from './provider-facts.ts'

/** Facts about a session that are known before it begins. */
export interface ExposureOutlook {
  readonly provider: ProviderFacts
  /** Tools the first request would carry if none were hidden, including meta-tools. */
  readonly initialTools: number
  /** The meta-tools and pinned tools of those. */
  readonly pinnedTools: number
  /** Tools that skills may add later. */
  readonly laterTools: number
  /** Skills that may be activated later. */
  readonly loadableSkills: number
  /** True when tools are hidden until a search finds them. */
  readonly search: boolean
  /** True when `call_tool` and `tool_search` are offered, or may be. */
  readonly bridge: boolean
  /** Ways of changing tools that the adapter can send; all of them when absent. */
  readonly carries?: readonly Carried[]
}

/**
 * A way of changing tools that not every adapter can send: marks for deferral with references, and additions
 * and removals inside the conversation.
 */
export type Carried = 'deferred' | 'additions' | 'removals'

/** A strategy with the cost of a typical session under it, in tokens at the full input price. */
export interface ExposurePrice {
  readonly strategy: ExposureName
  readonly price: number
}

export interface ExposureChoice {
  readonly strategy: ExposureName
  /** The reason for the choice, for people. */
  readonly why: string
  /** Cheapest first; strategies that are not possible are left out. */
  readonly prices: readonly ExposurePrice[]
}

/**
 * The session that prices are computed for: requests, tokens of the instructions and of the conversation
 * halfway, tokens of a definition (close to the mean of a set of real servers), skills activated and tools
 * found. Only the order of the prices matters, and these figures change it little; `bench/exposure.ts`
 * measures real sessions.
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
 * The additional cost of a call through the bridge: about 40 tokens that the model writes around it, at
 * five times the price of reading. Half of the calls go through it.
 */
const BRIDGED_CALL_PRICE = 200

/**
 * Chooses the cheapest strategy for a typical session, from how the provider reads and prices requests and
 * from what may change. Of two with the same cost, it is `conversation`, then the one nearer to plain calling:
 * a server, the host, a person or a new version of a definition may change the tools of every session.
 */
export function planExposure(outlook: ExposureOutlook): ExposureChoice {
  const possible = possibleStrategies(outlook)
  const { tools: most = Infinity } = outlook.provider
  const fitting = possible.filter((strategy) => toolsUnder(strategy, outlook) <= most)
  const prices = (fitting.length > 0 ? fitting : possible)
    .map((strategy) => ({ strategy, price: Math.round(priceOf(strategy, outlook)) }))
    .sort((a, b) => a.price - b.price)
  const [{ strategy } = { strategy: 'active' as const }] = prices
  const isFull = fitting.includes(strategy) && !fitting.includes('active')
  return { strategy, why: isFull ? tooMany(outlook) : reasonFor(strategy, outlook), prices }
}

/** Returns the tools that the last request of a typical session has, without those in the conversation. */
function toolsUnder(strategy: ExposureName, outlook: ExposureOutlook): number {
  const { initialTools, pinnedTools, laterTools, loadableSkills, search } = outlook
  if (strategy === 'bridge') return pinnedTools
  const initial = search && strategy !== 'deferred' ? pinnedTools : initialTools
  const brought = loadsOf(outlook) * (laterTools / Math.max(1, loadableSkills))
  return strategy === 'conversation' ? initial : initial + brought
}

function tooMany({ provider: { name, tools } }: ExposureOutlook): string {
  return `${name} takes at most ${tools} tools in a request, and there may be more: this way, a request has fewer.`
}

function possibleStrategies({
  provider,
  bridge,
  carries = ['deferred', 'additions'],
}: Pick<ExposureOutlook, 'provider' | 'bridge' | 'carries'>): readonly ExposureName[] {
  return [
    ...(provider.adds && carries.includes('additions') ? (['conversation'] as const) : []),
    'active',
    'append',
    ...(provider.defers && carries.includes('deferred') ? (['deferred'] as const) : []),
    ...(bridge ? (['bridge'] as const) : []),
  ]
}

function changesOf(outlook: ExposureOutlook): number {
  return loadsOf(outlook) + (outlook.search ? TYPICAL_SESSION.finds : 0)
}

function loadsOf({ laterTools, loadableSkills }: ExposureOutlook): number {
  return laterTools === 0 ? 0 : Math.min(TYPICAL_SESSION.loads, loadableSkills)
}

function priceOf(strategy: ExposureName, outlook: ExposureOutlook): number {
  const { provider, initialTools, pinnedTools, laterTools, loadableSkills, search } = outlook
  const { requests, instructions, conversation, definition, finds } = TYPICAL_SESSION
  const brought =
    loadsOf(outlook) * (laterTools / Math.max(1, loadableSkills)) + (search ? finds : 0)
  // Under a bridge, the conversation lists the arguments of the tools that the request leaves out.
  const start = (search ? pinnedTools : initialTools) * definition
  // Later tools are there for half of the session, in the request or in the conversation.
  const later = (brought * definition) / 2
  const total = start + later + instructions + conversation
  const change = changesOf(outlook) * lostBy(strategy, start + later, provider)
  const calls = strategy === 'bridge' ? (requests / 2) * BRIDGED_CALL_PRICE : 0
  return requests * total * provider.read + change * (provider.write - provider.read) + calls
}

/** Returns the tokens that the provider reads again after one change. */
function lostBy(strategy: ExposureName, tools: number, { order }: ProviderFacts): number {
  const place = order.indexOf('tools')
  const behind = order.slice(place + 1).reduce((sum, segment) => sum + sizeOf(segment), 0)
  switch (strategy) {
    case 'active':
      return tools / 2 + behind
    case 'append':
      return behind
    case 'conversation':
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
        ? `No skill adds tools later and search is off. If a server or the host changes tools, ${name} reads the ${behind} again: it gets no changes in the conversation.`
        : `${name} charges no more for new text than for cached text, so available tools are sent directly.`
    case 'append':
      return `Tools are added later, and ${name} then has to read the ${behind} again: adding them at the end loses least.`
    case 'conversation':
    case 'deferred':
      if (changesOf(outlook) === 0) {
        return `A server, the host or a person may change tools, and ${name} accepts them in the conversation: nothing that was sent changes.`
      }
      return `Tools are added later, and ${name} accepts them in the conversation: nothing that was sent changes.`
    case 'bridge':
      return `Tools are added later, and each one in the request would make ${name} read the ${behind} again: with call_tool the request does not change.`
  }
}

/** The facts about a session without the tools that its skills bring. */
type OpenOutlook = Omit<ExposureOutlook, 'laterTools' | 'loadableSkills'>

/** The tools that the skills of a session bring. Counting them walks the catalog, so it waits until a plan needs it. */
export interface SkillTools {
  count(): Readonly<Record<'initialTools' | 'laterTools' | 'loadableSkills', number>>
}

/** The options of a session from which its strategy follows, with those of each step. */
export interface ExposureBasis {
  /** The strategy of the host; `auto` for the planner's choice. */
  readonly given: ExposureStrategy | 'auto'
  /** For people: why the host's strategy is used. */
  readonly why: string
  readonly outlook: OpenOutlook
  readonly skills: SkillTools
}

/** The strategy of a session, and the reason for it. */
export interface ChosenExposure {
  readonly strategy: ExposureStrategy
  readonly provider: ProviderFacts
  /** For people. */
  readonly why: string
  /** The strategies that the planner compared; empty when the host, or another process, chose. */
  readonly prices: readonly ExposurePrice[]
  /** The ways of changing tools that it was chosen for; all of them when absent. */
  readonly carries?: readonly Carried[]
  readonly basis: ExposureBasis
}

const memo = identityMemo<ChosenExposure>()

/** Chooses a strategy that the provider takes and the adapter carries. Sessions with equal options share it. */
export function chooseStrategy(basis: ExposureBasis, outlook = basis.outlook): ChosenExposure {
  const { given, why, skills } = basis
  const { provider, ...rest } = outlook
  const keys = [basis.outlook.provider, provider, skills, ...(given === 'auto' ? [] : [given])]
  return memo(keys, JSON.stringify([why, rest]), () => {
    const chosen = { provider, basis, ...(outlook.carries && { carries: outlook.carries }) }
    if (given !== 'auto' && canBeSent(given, outlook)) {
      return { ...chosen, strategy: given, why, prices: [] }
    }
    const brought = skills.count()
    const initialTools = outlook.initialTools + brought.initialTools
    const {
      strategy,
      why: planned,
      prices,
    } = planExposure({ ...outlook, ...brought, initialTools })
    const instead =
      given === 'auto'
        ? ''
        : `The adapter cannot send the strategy "${given.name}" to this model of ${provider.name}. `
    return { ...chosen, strategy: EXPOSURES[strategy], why: instead + planned, prices }
  })
}

/** Returns false for a strategy that needs more than the adapter or the provider can do. */
function canBeSent({ name }: ExposureStrategy, { provider, carries }: OpenOutlook): boolean {
  if (name === 'conversation') {
    return provider.adds && (carries === undefined || carries.includes('additions'))
  }
  return name !== 'deferred' || carries === undefined || carries.includes('deferred')
}

/**
 * Returns how a session sends tools now: by the strategy that the host chose by name, else by that of its last
 * step, in whatever process, else by the planned one. The facts are those of the model of that step. Of a strategy
 * of the host's own, only its own process has more than the name.
 */
export function currentExposure(
  { strategy: last, cost }: Pick<WorkspaceState, 'strategy' | 'cost'>,
  exposure: ChosenExposure,
): ChosenExposure {
  // Another provider than that of the step was chosen since.
  if (cost === null || last === null || cost.provider !== exposure.provider.name) return exposure
  const provider = factsOfFamily(exposure.provider, cost.family)
  const isChosen = exposure.basis.given !== 'auto' || !Object.hasOwn(EXPOSURES, last)
  const strategy = isChosen ? exposure.strategy : EXPOSURES[last as ExposureName]
  if (strategy === exposure.strategy && provider === exposure.provider) return exposure
  if (isChosen) return { ...exposure, provider }
  const why = 'The last request was sent with this strategy.'
  const { carries: _, ...others } = exposure
  return { ...others, provider, strategy, why, prices: [] }
}
