import type { JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import type { ToolDefinition } from '../definition/tool.ts'
import { geminiSchema } from './gemini-schema.ts'
import { plainTop } from './plain-top.ts'
import { LossList, type SchemaLoss } from './schema-loss.ts'
import { strictSchema } from './strict-schema.ts'
import { shownSchema } from '../schema/shown-schema.ts'
import { keywordValue } from '../schema/subschemas.ts'

/** The forms of a tool's arguments. `gemini` is its native `Schema`, with types in capitals. */
export const SCHEMA_PROVIDERS = ['openai', 'openai-strict', 'gemini', 'anthropic', 'mcp'] as const

export type Provider = (typeof SCHEMA_PROVIDERS)[number]

/** The arguments of a tool in the form of one provider. */
export interface ProviderSchema {
  readonly schema: JsonSchema
  /** Keywords that this form cannot express; empty if it expresses everything. */
  readonly losses: readonly SchemaLoss[]
}

/** Keywords that are not allowed at the top, where arguments are always an object. */
const REFUSED_AT_TOP = { openai: ['enum', 'not'], anthropic: [] } as const

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', '$ref']

/**
 * Converts the canonical input schema of a tool. Pure and total: every checked schema gives a result that
 * can be sent, with a list of all lost keywords. MCP accepts JSON Schema completely. Hidden characters in
 * descriptions are shown.
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

/** The parts of a tool that requests contain. */
type RequestTool = Pick<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema'>

/**
 * Converts a tool for requests: a function of OpenAI (`{ type: 'function', function }` in chat completions,
 * flat in responses), a function declaration of Gemini, or a tool of Anthropic or MCP. Give the converted
 * `schema` if it is already known, such as from a manifest.
 */
export function providerTool(
  tool: RequestTool,
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
