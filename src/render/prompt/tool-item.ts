import { isMeta } from '../../engine/meta-owner.ts'
import type { ToolRow } from '../../engine/tool-row.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { argumentFacts } from './argument-facts.ts'
import type { PromptItem } from './prompt-document.ts'
import type { SchemasInRequest } from './prompt-input.ts'

/** A tool as a prompt lists it: name and summary, and its arguments when nobody else sends them. */
export function toolItem(
  { name, tool, owner, asks }: ToolRow,
  schemasInRequest: SchemasInRequest,
): PromptItem {
  const isSent = schemasInRequest === true || (schemasInRequest !== false && isMeta(owner))
  return {
    name: sanitiseLine(name),
    summary: sanitiseLine(tool?.summary ?? ''),
    marks: [...(asks ? ['asks first'] : []), ...(tool?.background ? ['answers later'] : [])],
    facts: tool === undefined || isSent ? [] : argumentFacts(tool.inputSchema),
    origin: { source: owner.source, owner: owner.owner },
    ...(tool !== undefined && { tool }),
  }
}
