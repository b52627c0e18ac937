import type { JsonSchema } from '../../kernel/json.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { shownSchema } from '../schema/shown-schema.ts'
import type { ToolDefinition } from '../definition/tool.ts'
import type { Provider } from './provider.ts'
import { providerSchema } from './provider-schema.ts'

/** What of a tool a request tells. */
type ToldTool = Pick<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema'>

/**
 * A tool as a request carries it: the function of OpenAI (`{ type: 'function', function }` in chat
 * completions, flat in responses), a function declaration of Gemini, a tool of Anthropic, or of MCP.
 * `schema` is the converted one where it is known already, such as from a manifest.
 */
export function providerTool(
  tool: ToldTool,
  provider: Provider,
  schema: JsonSchema = providerSchema(tool.inputSchema, provider).schema,
): Readonly<Record<string, unknown>> {
  const { name, outputSchema } = tool
  const description = sanitiseText(tool.description)
  switch (provider) {
    case 'openai':
      return { name, description, parameters: schema, strict: false }
    case 'openai-strict':
      return { name, description, parameters: schema, strict: true }
    case 'gemini':
      return { name, description, parameters: schema }
    case 'anthropic':
      return { name, description, input_schema: schema }
    case 'mcp':
      return {
        name,
        description,
        inputSchema: schema,
        ...(outputSchema && { outputSchema: shownSchema(outputSchema) }),
      }
  }
}
