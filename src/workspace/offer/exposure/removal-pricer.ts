import type { RemovalPrice } from '../../../engine/model/removal-price.ts'
import type { SentRequest } from '../../../engine/model/sent-request.ts'
import { removalPrice } from '../../../render/prompt/ledger/removal-price.ts'
import type { ExposureStrategy } from '../../log/ports.ts'
import type { PriceList } from './step-cost-of.ts'

/**
 * Prices removals for one session. Where the strategy keeps what left in the request, a removal
 * frees nothing and loses nothing: its tools are refused, and the request is the same.
 */
export function removalPricer(
  { keepsGone }: ExposureStrategy,
  { facts, counter, tool }: PriceList,
): (tools: readonly string[], sent: SentRequest) => RemovalPrice {
  if (keepsGone === true) return () => ({ tokensFreed: 0, prefixLost: 0 })
  const after = facts.order.slice(facts.order.indexOf('tools') + 1)
  return (tools, { exposed, cost }) => {
    const behind = after.reduce((sum, segment) => sum + (cost?.tokens[segment] ?? 0), 0)
    return removalPrice(tools, exposed, tool, counter, behind)
  }
}
