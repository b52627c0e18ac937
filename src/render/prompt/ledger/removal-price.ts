import type { ExposedTool } from '../../../engine/model/event.ts'
import type { RemovalPrice } from '../../../engine/model/removal-price.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { definitionTokens } from './token-prices.ts'

/**
 * What taking tools out of the request costs, from what the last step sent. Deferred tools are no
 * part of the prefix, and what was not sent costs nothing.
 *
 * @param tools names that leave
 * @param behind tokens that the provider reads after the tools: they are lost with the first of
 *   them that leaves
 */
export function removalPrice(
  tools: readonly string[],
  exposed: readonly ExposedTool[] | null,
  tool: (hash: ContentHash) => Tool | undefined,
  counter: TokenCounter,
  behind = 0,
): RemovalPrice {
  const leaving = new Set(tools)
  const sent = (exposed ?? []).filter(({ deferred }) => deferred !== true)
  const first = sent.findIndex(({ name }) => leaving.has(name))
  if (first < 0) return { tokensFreed: 0, prefixLost: 0 }
  const tokensOf = (some: readonly ExposedTool[]) =>
    some.reduce((sum, { name, hash }) => {
      const definition = tool(hash)
      return sum + (definition === undefined ? 0 : definitionTokens(definition, counter, name))
    }, 0)
  const after = sent.slice(first)
  return {
    tokensFreed: tokensOf(after.filter(({ name }) => leaving.has(name))),
    prefixLost: tokensOf(after.filter(({ name }) => !leaving.has(name))) + behind,
  }
}
