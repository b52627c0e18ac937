import { canonicalJson } from '../../kernel/canonical-json.ts'
import { firstSentence } from '../../kernel/first-sentence.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/**
 * The files of a tool folder that define this tool, by path in the folder: all but its code. Read
 * again they give the same definition.
 */
export function toolFolderFiles(tool: Tool): ReadonlyMap<string, string> {
  const { name, version, category, description, inputSchema, outputSchema, modes } = tool
  const schema = {
    toolId: name,
    version,
    category,
    description,
    parameters: inputSchema,
    output: outputSchema,
    idempotent: tool.idempotent,
    requiresConfirmation: tool.requiresConfirmation,
    allowedModes: modes,
    latencyBudgetMs: tool.latencyMs,
    background: tool.background,
    risk: tool.risk,
    topic: tool.topic,
    phrases: tool.phrases.length === 0 ? undefined : tool.phrases,
    related: tool.related.length === 0 ? undefined : tool.related,
    guidance: tool.guidance,
    extraction: tool.extraction,
  }
  const { documentation = '' } = tool
  return new Map([
    ['schema.json', `${JSON.stringify(JSON.parse(canonicalJson(defined(schema))), null, 2)}\n`],
    ...(tool.summary === firstSentence(description)
      ? []
      : ([['doc_summary.md', `${tool.summary}\n`]] as const)),
    ...(documentation === '' ? [] : ([['doc.md', `${documentation}\n`]] as const)),
  ])
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
