import type { JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import type { ToolDefinition } from '../definition/tool.ts'
import { geminiSchema } from './gemini-schema.ts'
import { plainTop } from './plain-top.ts'
import { LossList, type SchemaLoss } from './schema-loss.ts'
import { strictSchema } from './strict-schema.ts'
import { shownSchema } from '../schema/shown-schema.ts'
import { keywordValue } from '../schema/subschemas.ts'

/** The forms a tool's arguments are told in; `gemini` is its native `Schema`, with types in capitals. */
export const SCHEMA_PROVIDERS = ['openai', 'openai-strict', 'gemini', 'anthropic', 'mcp'] as const

export type Provider = (typeof SCHEMA_PROVIDERS)[number]

/** The arguments of a tool as one provider takes them. */
export interface ProviderSchema {
  readonly schema: JsonSchema
  /** Every keyword it cannot carry; empty when the whole meaning arrives. */
  readonly losses: readonly SchemaLoss[]
}

/** What may not stand at the top, where arguments are always an object. */
const REFUSED_AT_TOP = { openai: ['enum', 'not'], anthropic: [] } as const

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', '$ref']

/**
 * Convert the canonical input schema of a tool. Pure and total: whatever a checked schema holds, the
 * result can be sent, and every keyword lost on the way is listed. MCP carries JSON Schema whole. What a
 * reader would not see in its descriptions is shown.
 */
export function providerSchema(schema: JsonSchema, provider: Provider): ProviderSchema {
  const losses = new LossList()
  const converted = convert(shownSchema(schema), provider, losses)
  return { schema: converted, losses: losses.list }
}

function convert(schema: JsonSchema, provider: Provider, losses: LossList): JsonSchema {
  switch (provider) {
    case 'openai':
    case 'anthropic': {
      const refused = REFUSED_AT_TOP[provider]
      const isPlain = [...COMBINATORS, ...refused].every(
        (one) => keywordValue(schema, one) === undefined,
      )
      return isPlain ? schema : plainTop(schema, refused, losses)
    }
    case 'openai-strict':
      return strictSchema(schema, losses)
    case 'gemini':
      return geminiSchema(schema, losses)
    case 'mcp':
      return schema
  }
}

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
