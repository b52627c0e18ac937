import type { SkillTool } from '../../catalog/create/catalog.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { HeldClaim } from './winner.ts'

const bound = new WeakMap<readonly SkillTool[], ReadonlyMap<ContentHash, Tool>>()

/**
 * The tool of a claim as its own skill has it, handler included: another skill may have defined it
 * word for word, so its hash alone would not tell whose handler runs. Undefined where the skill has no
 * handler for it, and for owners that are no skills.
 */
export function ownTool({ source, claim }: HeldClaim, { catalog }: Surroundings): Tool | undefined {
  const tools = source.source === 'skill' ? catalog.skillTools.get(source.owner) : undefined
  if (tools === undefined) return undefined
  let known = bound.get(tools)
  if (known === undefined) {
    const own = tools.flatMap(({ tool }) => (tool.run === undefined ? [] : [tool]))
    known = new Map(own.map((tool) => [tool.hash, tool]))
    bound.set(tools, known)
  }
  return known.get(claim.hash)
}
