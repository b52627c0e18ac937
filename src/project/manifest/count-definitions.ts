import { setImmediate } from 'node:timers/promises'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { countTexts } from '../../catalog/manifest/count-texts.ts'
import type { TokenCounts } from '../../catalog/manifest/manifest.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import {
  definitionTokens,
  itemTokens,
  skillTokens,
} from '../../render/prompt/ledger/token-prices.ts'
import type { Skill } from '../../skills/definition/skill.ts'

/** Milliseconds of counting after which others have a turn, such as a line of progress. */
const BREATH_MS = 50

/**
 * Count what each skill and tool puts before a model, once each, exactly as a session counts it. The
 * folder a skill was read from is left out: it is another one on every machine.
 */
export async function countDefinitions(
  catalog: Catalog,
  counter: TokenCounter,
  onProgress: (done: number, of: number) => void,
): Promise<ReadonlyMap<ContentHash, TokenCounts>> {
  const counts = new Map<ContentHash, TokenCounts>()
  const definitions = [
    ...Array.from(catalog.skills.values(), (skill) => ({
      hash: skill.hash,
      price: (noting: TokenCounter) => skillTokens(withoutFolder(skill), noting),
    })),
    ...Array.from(catalog.toolsByHash.values(), (tool) => ({
      hash: tool.hash,
      price: (noting: TokenCounter) => toolTokens(tool, noting),
    })),
  ]
  let breath = performance.now()
  for (const [index, { hash, price }] of definitions.entries()) {
    counts.set(hash, countTexts(counter, price))
    if (performance.now() - breath < BREATH_MS) continue
    onProgress(index + 1, definitions.length)
    await setImmediate()
    breath = performance.now()
  }
  onProgress(definitions.length, definitions.length)
  return counts
}

function withoutFolder(skill: Skill): Skill {
  const { baseDirectory: _, ...rest } = skill
  return rest
}

/** Its definition in the request, and its line in the prompt. */
function toolTokens(tool: Tool, counter: TokenCounter): number {
  const item = {
    name: sanitiseLine(tool.name),
    summary: sanitiseLine(tool.summary),
    marks: tool.requiresConfirmation ? ['asks first'] : [],
    facts: [],
  }
  return definitionTokens(tool, counter) + itemTokens(item, counter)
}
