import { isMeta } from '../../../engine/model/meta-owner.ts'
import type { PromptTier } from '../../../engine/model/mode-limits.ts'
import type { ToolRow } from '../../../engine/standing/tool-row.ts'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import { argumentFacts } from './argument-facts.ts'
import type { PromptItem } from '../document/prompt-document.ts'
import type { SchemasInRequest } from '../document/prompt-input.ts'

/**
 * A tool as a prompt lists it: name and summary, and its arguments when nobody else sends them. In the
 * tier `full` such a tool has its description in the place of the summary.
 */
export function toolItem(
  { name, tool, owner, asks }: ToolRow,
  schemasInRequest: SchemasInRequest,
  tier: PromptTier,
): PromptItem {
  const isSent = schemasInRequest === true || (schemasInRequest !== false && isMeta(owner))
  return {
    name: sanitiseLine(name),
    summary: sanitiseLine((isSent || tier === 'summary' ? tool?.summary : tool?.description) ?? ''),
    marks: [...(asks ? ['asks first'] : []), ...(tool?.background ? ['answers later'] : [])],
    facts: tool === undefined || isSent ? [] : argumentFacts(tool.inputSchema),
    origin: { source: owner.source, owner: owner.owner },
    ...(tool !== undefined && { tool }),
  }
}
