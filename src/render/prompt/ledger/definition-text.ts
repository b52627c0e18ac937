import { canonicalJson } from '../../../kernel/canonical-json.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** A tool as a request carries it: the canonical JSON of name, description and input schema. */
export function definitionText(tool: Tool, name = tool.name): string {
  const { description, inputSchema } = tool
  return canonicalJson({ name, description, inputSchema })
}
