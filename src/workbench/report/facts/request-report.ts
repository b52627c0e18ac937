import { PROVIDER_FACTS } from '../../../entries/adapter.ts'
import type {
  ProviderName,
  StepPreview,
  VirtualWorkspace,
  WorkspaceLedger,
} from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import {
  counted,
  formatCount,
  keptText,
  nextRequest,
  requestPartsText,
  type RequestPrice,
  requestText,
  requestTokens,
  sentWithText,
  type StepCost,
} from '../../../entries/plan.ts'
import type { ReportText } from '../report.ts'

/** The price of the next request, as JSON has it in every command. */
export interface RequestReport extends Pick<
  StepCost,
  | 'provider'
  | 'tokens'
  | 'deferred'
  | 'previous'
  | 'kept'
  | 'lost'
  | 'price'
  | 'changed'
  | 'tooMany'
> {
  readonly strategy: string
  readonly tokenizer: string
  /** The fewest tokens that its provider caches, where it caches nothing of it. */
  readonly minimum?: number
  /** The tokens of its parts together. */
  readonly total: number
}

/**
 * Returns the tokens of a request that its provider has in its cache: none below its minimum, and whole steps of its
 * grain. Of a provider whose rules are not known, what the request shares with the one before.
 */
export function cachedTokens({ provider, kept }: Pick<StepCost, 'provider' | 'kept'>): number {
  const isKnown = Object.hasOwn(PROVIDER_FACTS, provider)
  const { minimum, grain } = isKnown
    ? PROVIDER_FACTS[provider as ProviderName]
    : { minimum: 0, grain: 1 }
  return kept < minimum ? 0 : kept - (kept % grain)
}

/** Returns the part of a request that its provider has in its cache, in place of the part that it shares with the one before. */
export function cachedPart<Cost extends Pick<StepCost, 'previous' | 'kept'>>(
  cost: Cost,
  { provider }: Pick<StepCost, 'provider'>,
): Cost & { readonly minimum?: number } {
  const kept = cachedTokens({ provider, kept: cost.kept })
  if (kept > 0 || cost.kept === 0) return { ...cost, kept }
  const { minimum } = PROVIDER_FACTS[provider as ProviderName]
  return { ...cost, kept, minimum }
}

/**
 * Returns the cached part of a request that began. The file of another agent may lack parts of its requests, so the minimum
 * of its provider says nothing about them.
 */
export function cachedStep(
  { strategy }: { readonly strategy: string },
  cost: StepCost,
): StepCost & { readonly minimum?: number } {
  return strategy === OBSERVED ? cost : cachedPart(cost, cost)
}

/** The strategy of requests that another agent put together. */
const OBSERVED = 'observed'

/** Returns figures of a session whose last request has what its provider has in its cache. */
export function cachedLedger<Figures extends Pick<WorkspaceLedger, 'lastStep'>>(
  ledger: Figures,
): Figures {
  const { lastStep } = ledger
  if (lastStep === null) return ledger
  return { ...ledger, lastStep: { ...lastStep, cost: cachedPart(lastStep.cost, lastStep.cost) } }
}

/** Returns the price of a previewed request. */
export function requestReport(
  { cost, exposure: { strategy } }: StepPreview,
  tokenizer: string,
): RequestReport {
  const { provider, tokens, deferred, lost, price, changed, tooMany } = cost
  const { previous, kept, minimum } = cachedPart(cost, cost)
  const facts = { provider, strategy, tokenizer, total: requestTokens(cost), tokens, deferred }
  const part = { previous, kept, ...(minimum !== undefined && { minimum }) }
  return { ...facts, ...part, lost, price, changed, ...(tooMany && { tooMany }) }
}

/** Writes the price of a previewed request on one line. */
export function requestLine(next: StepPreview, tokenizer: string): string {
  const total = `${requestText(next)} tokens = ${requestPartsText(next.cost)}`
  const { provider, tooMany } = next.cost
  const count = tooMany ? `, ${tooMany.tools} tools and ${provider} takes ${tooMany.most}` : ''
  return `${total} (${sentWithText(next)}, ${tokenizer}), ${keptText(cachedPart(next.cost, next.cost))}${count}`
}

/**
 * Says what a request costs, how much of it is cached, and how its tools are sent: for a first line.
 *
 * @param isOther true for a provider or a strategy that the session does not have
 */
export function requestFacts(
  next: RequestPrice,
  tokenizer: string,
  isOther = false,
): readonly string[] {
  return [
    `${requestText(next)} tokens (${tokenizer})`,
    ...(next.cost.previous === 0 ? [] : [keptText(cachedPart(next.cost, next.cost))]),
    `${isOther ? 'as ' : ''}${sentWithText(next)}`,
  ]
}

/**
 * Says which agent a session is of, and how long its last request was by the count of its provider. Null for a session of
 * Loadout.
 */
export function observedFacts({
  opening,
  reported: { last },
  step,
}: VirtualWorkspace['state']): readonly string[] | null {
  if (!opening?.observed) return null
  const { client, version } = opening.observed
  const agent = ['OBSERVED', client, version].filter(Boolean).join(' ')
  if (last === null) return [sanitiseLine(agent), counted(step, 'request')]
  const { input, cached } = last.report.usage
  const read = cached === undefined ? '' : `, ${formatCount(cached)} cached`
  return [sanitiseLine(agent), `request ${last.step}: ${formatCount(input)} tokens${read}`]
}

/** Returns the price of the next request of a session as the last line of a list; of another agent, its last request. */
export async function nextRequestText(workspace: VirtualWorkspace): Promise<ReportText> {
  const observed = observedFacts(workspace.state)
  if (observed) return { kind: 'text', text: `${observed.join(', ')} by the provider`, isCut: true }
  const text = requestLine(await nextRequest(workspace), workspace.figures.tokenizer)
  return { kind: 'text', text, isCut: true }
}
