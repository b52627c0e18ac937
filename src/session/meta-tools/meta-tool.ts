import type { JsonSchema } from '../../kernel/json.ts'
import { defineTool } from '../../registry/define-tool.ts'
import type { ToolContext } from '../../registry/tool-context.ts'
import type { Tool } from '../../registry/tool.ts'
import type { MetaToolName } from './meta-tool-name.ts'

interface MetaToolSpec {
  readonly name: MetaToolName
  readonly description: string
  /** Text arguments by name, all of them required. */
  readonly arguments: Readonly<Record<string, JsonSchema>>
  run(input: Readonly<Record<string, string>>, context: ToolContext): unknown
}

/**
 * A meta-tool: every argument is a text, and is taken as one whatever enum is advertised, so
 * that a display name or a near miss gets an answer instead of a schema error.
 */
export function metaTool({ name, description, arguments: properties, run }: MetaToolSpec): Tool {
  const schema = (members: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
    type: 'object',
    properties: members,
    required: Object.keys(members),
    additionalProperties: false,
  })
  const bare = Object.fromEntries(
    Object.keys(properties).map((key) => [key, { type: 'string', minLength: 1 }]),
  )
  const shared = { name, description, category: 'utility', topic: 'skills' } as const
  const advertised = defineTool<Record<string, string>>({
    ...shared,
    input: schema(properties),
    run,
  })
  const lenient = defineTool({ ...shared, input: schema(bare) })
  return Object.freeze({ ...advertised, parseInput: lenient.parseInput })
}
