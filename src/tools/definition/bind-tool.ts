import { makeTool } from './make-tool.ts'
import { toolDefinition } from './tool-definition.ts'
import type { Tool, ToolDefinition } from './tool.ts'

/**
 * A tool from its stored definition, with a handler or without (`unbound`).
 *
 * It has the hash of the tool it was stored from. Its arguments are held to the JSON Schema
 * alone: refinements and transforms of a zod schema are code, and code is not stored.
 */
export function bindTool(definition: ToolDefinition, run?: NonNullable<Tool['run']>): Tool {
  const { inputSchema, outputSchema, ...fields } = toolDefinition(definition)
  return makeTool({
    fields,
    input: inputSchema,
    output: outputSchema,
    functions: run === undefined ? {} : { run },
  })
}
