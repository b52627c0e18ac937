import type { JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import type { ToolDefinition } from '../definition/tool.ts'
import { providerName } from './provider-name.ts'
import { type Provider, providerSchema } from './provider-schema.ts'
import { shownSchema } from '../schema/shown-schema.ts'

/** The parts of a tool that requests contain. */
type RequestTool = Pick<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema'> &
  Partial<Pick<ToolDefinition, 'strict' | 'inputExamples'>>

/** A schema of an object, as Anthropic and MCP require it. */
type ObjectSchema = Record<string, unknown> & { readonly type: 'object' }

/** The form of a tool in requests, by provider. */
export interface ProviderTools {
  /** A function in the Responses API. */
  readonly openai: {
    readonly type: 'function'
    readonly name: string
    readonly description: string
    readonly parameters: Record<string, unknown>
    readonly strict: boolean
  }
  readonly 'openai-strict': ProviderTools['openai']
  /** A function in Chat Completions, and at compatible servers. */
  readonly 'openai-chat': {
    readonly type: 'function'
    readonly function: Omit<ProviderTools['openai'], 'type'>
  }
  readonly 'openai-chat-strict': ProviderTools['openai-chat']
  readonly anthropic: {
    readonly name: string
    readonly description: string
    readonly input_schema: ObjectSchema
    readonly strict?: boolean
    readonly input_examples?: Record<string, unknown>[]
  }
  /** A function declaration, with the native `Schema`. */
  readonly gemini: {
    readonly name: string
    readonly description: string
    readonly parameters: Record<string, unknown>
  }
  readonly mcp: {
    readonly name: string
    readonly description: string
    readonly inputSchema: ObjectSchema
    readonly outputSchema?: JsonSchema
  }
}

/**
 * Converts a tool for requests: a function of OpenAI in the form of the Responses API or, with `-chat`, of
 * Chat Completions, a function declaration of Gemini, or a tool of Anthropic or MCP. Its name is that of
 * `providerName`. Give the converted `schema` if it is already known, such as from a manifest. A tool with `strict` is
 * strict in each form that has the option, and its schema is unchanged; `inputExamples` are for Anthropic.
 */
export function providerTool<Form extends keyof ProviderTools>(
  tool: RequestTool,
  form: Form,
  schema: JsonSchema = providerSchema(tool.inputSchema, PROVIDER_OF[form]).schema,
): ProviderTools[Form] {
  const name = providerName(tool.name, PROVIDER_OF[form])
  return WRITERS[form]({ ...tool, name, description: sanitiseText(tool.description) }, schema)
}

const PROVIDER_OF: Readonly<Record<keyof ProviderTools, Provider>> = {
  openai: 'openai',
  'openai-strict': 'openai-strict',
  'openai-chat': 'openai',
  'openai-chat-strict': 'openai-strict',
  anthropic: 'anthropic',
  gemini: 'gemini',
  mcp: 'mcp',
}

const WRITERS: {
  readonly [Form in keyof ProviderTools]: (
    tool: RequestTool,
    schema: JsonSchema,
  ) => ProviderTools[Form]
} = {
  openai: (tool, schema) => ({ type: 'function', ...openaiFunction(tool, schema) }),
  'openai-strict': (tool, schema) => ({ type: 'function', ...openaiFunction(tool, schema, true) }),
  'openai-chat': (tool, schema) => ({
    type: 'function',
    function: openaiFunction(tool, schema),
  }),
  'openai-chat-strict': (tool, schema) => ({
    type: 'function',
    function: openaiFunction(tool, schema, true),
  }),
  anthropic: ({ name, description, strict, inputExamples }, schema) => ({
    name,
    description,
    input_schema: objectSchema(schema),
    ...(strict === true && { strict }),
    ...(inputExamples && { input_examples: inputExamples.map(({ input }) => input) }),
  }),
  gemini: ({ name, description }, schema) => ({ name, description, parameters: schema }),
  mcp: ({ name, description, outputSchema }, schema) => ({
    name,
    description,
    inputSchema: objectSchema(schema),
    ...(outputSchema && { outputSchema: shownSchema(outputSchema) }),
  }),
}

function openaiFunction(
  { name, description, strict: ofTool = false }: RequestTool,
  parameters: JsonSchema,
  strict = ofTool,
): Omit<ProviderTools['openai'], 'type'> {
  return { name, description, parameters, strict }
}

/** The arguments of a tool are an object, so their schema has this type at the top. */
function objectSchema(schema: JsonSchema): ObjectSchema {
  return schema as ObjectSchema
}
