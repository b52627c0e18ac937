import { DEFINITION_FIELDS } from './check-definition.ts'
import type { ToolDefinition } from './tool.ts'

/** The JSON part of a tool: what its hash covers, and what logs and manifests store. */
export function toolDefinition(tool: ToolDefinition): ToolDefinition {
  const members = DEFINITION_FIELDS.flatMap((field) =>
    tool[field] === undefined ? [] : [[field, tool[field]] as const],
  )
  return Object.fromEntries(members) as unknown as ToolDefinition
}
