import {
  type KeptPart,
  type PricedChange,
  requestTokens,
  type StepCost,
} from '../../../engine/model/step-cost.ts'
import { formatCount, tokenChange } from './format-count.ts'

/** The price of the next request, and how its tools are sent. Every screen and command shows this one. */
export interface RequestPrice {
  readonly cost: StepCost
  readonly exposure: { readonly strategy: string }
}

/** Writes what a price holds for: `anthropic, active`. */
export function sentWithText({ cost: { provider, family }, exposure }: RequestPrice): string {
  return `${family === undefined ? provider : `${provider} (${family})`}, ${exposure.strategy}`
}

/** Writes the price of the next request: `request 4,220`. */
export function requestText({ cost }: Pick<RequestPrice, 'cost'>): string {
  return `request ${formatCount(requestTokens(cost))}`
}

/** Writes the parts of a request: `tools 2,270 + instructions 1,151 + conversation 799`. */
export function requestPartsText({ tokens, order }: StepCost): string {
  return order.map((segment) => `${segment} ${formatCount(tokens[segment])}`).join(' + ')
}

/** Writes the part of the request before that is cached: `kept 1,444 of 2,988`, or that none is. */
export function keptText({ previous, kept, minimum }: KeptPart): string {
  if (minimum !== undefined) return `nothing cached below ${formatCount(minimum)}`
  return previous === 0
    ? 'no request before'
    : `kept ${formatCount(kept)} of ${formatCount(previous)}`
}

/** Writes a change of the next request: `request 2,988 -> 4,220 tokens (+1,232), kept 1,444 of 2,988`. */
export function requestChangeText(change: PricedChange, arrow: string): string {
  return `request ${tokenChange(change, arrow)}, ${keptText(change.kept)}`
}
