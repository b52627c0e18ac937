import { matchesPattern } from '../../kernel/matches-pattern.ts'
import type { Claim } from '../model/source-event.ts'

/**
 * The first pattern of a policy that covers a tool: by the name it goes by, or by the one in its
 * definition, since a rule about `refund` must hold for it as `billing__refund`, too.
 */
export function covers(
  patterns: readonly string[],
  { name, definedAs }: Pick<Claim, 'name' | 'definedAs'>,
): string | undefined {
  return patterns.find((one) => matchesPattern(one, name) || matchesPattern(one, definedAs))
}
