import type { ToolRow } from '../../engine/tool-row.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { argumentFacts } from './argument-facts.ts'
import type { PromptItem } from './prompt-document.ts'

/** A tool as a prompt lists it: name and summary, and its arguments when nobody else sends them. */
export function toolItem(
  { name, tool, owner, asks }: ToolRow,
  schemasInRequest: boolean,
): PromptItem {
  return {
    name: sanitiseLine(name),
    summary: sanitiseLine(tool?.summary ?? ''),
    marks: asks ? ['asks first'] : [],
    facts: tool === undefined || schemasInRequest ? [] : argumentFacts(tool.inputSchema),
    origin: { source: owner.source, owner: owner.owner },
    ...(tool !== undefined && { tool }),
  }
}
