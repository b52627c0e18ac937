import { type JsonSchema, wellFormed } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import type { ToolDefinition } from './tool.ts'
import { providerName } from '../../schema/provider-forms/provider-name.ts'
import { type Provider, providerSchema } from '../../schema/provider-forms/provider-schema.ts'
import { sentArguments } from '../../schema/provider-forms/sent-keys.ts'
import { strictFaults } from '../../schema/provider-forms/strict-faults.ts'
import { shownSchema } from '../../schema/interpreter/shown-schema.ts'

/** The parts of a tool that requests contain. */
type RequestTool = Pick<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema'> &
  Partial<Pick<ToolDefinition, 'strict' | 'inputExamples' | 'providerOptions'>>

/** A schema of an object, as Anthropic and MCP require it. */
type ObjectSchema = Record<string, unknown> & { readonly type: 'object' }

/** The model itself, or a version of the provider's code execution. */
type AnthropicCaller =
  'direct' | 'code_execution_20250825' | 'code_execution_20260120' | 'code_execution_20260521'

/** The form of a tool in requests, by provider. */
export interface ProviderTools {
  /** A function in the Responses API. */
  readonly openai: {
    readonly type: 'function'
    readonly name: string
    readonly description: string
    readonly parameters: Record<string, unknown>
    readonly strict: boolean
    readonly allowed_callers?: ('direct' | 'programmatic')[]
    readonly output_schema?: Record<string, unknown>
  }
  readonly 'openai-strict': ProviderTools['openai']
  /** A function in Chat Completions, and at compatible servers. */
  readonly 'openai-chat': {
    readonly type: 'function'
    readonly function: Pick<
      ProviderTools['openai'],
      'name' | 'description' | 'parameters' | 'strict'
    >
  }
  readonly 'openai-chat-strict': ProviderTools['openai-chat']
  readonly anthropic: {
    readonly name: string
    readonly description: string
    readonly input_schema: ObjectSchema
    readonly strict?: boolean
    readonly input_examples?: Record<string, unknown>[]
    readonly allowed_callers?: AnthropicCaller[]
  }
  /** A function declaration, with the native `Schema`. */
  readonly gemini: {
    readonly name: string
    readonly description: string
    readonly parameters: Record<string, unknown>
  }
  /** The same with JSON Schema, which has fewer losses. Its Live API takes the native form only. */
  readonly 'gemini-json': {
    readonly name: string
    readonly description: string
    readonly parametersJsonSchema: Record<string, unknown>
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
 * Chat Completions, a function declaration of Gemini, with its native `Schema` or, with `-json`, JSON Schema, or a tool of
 * Anthropic or MCP. Its name is that of
 * `providerName`. Give the converted schema if it is already known, such as from a manifest. A tool with `strict` is
 * strict in each form that has the option if its schema is, and is not strict otherwise; `inputExamples` are for Anthropic. The
 * `allowedCallers` of its `providerOptions` say if programs of the provider may call it.
 */
export function providerTool<Form extends keyof ProviderTools>(
  tool: RequestTool,
  form: Form,
  given?: JsonSchema,
): ProviderTools[Form] {
  // A form that does not exist is no provider either.
  const provider = Object.hasOwn(PROVIDER_OF, form) ? PROVIDER_OF[form] : (form as Provider)
  const name = providerName(tool.name, provider)
  const schemaForm = form === 'gemini-json' ? 'gemini-json' : provider
  const schema = given ?? providerSchema(tool.inputSchema, schemaForm).schema
  const { inputSchema, inputExamples, strict = false } = tool
  const examples = inputExamples?.map(({ input }) => ({
    input: sentArguments(inputSchema, input, provider) as typeof input,
  }))
  const described = {
    ...tool,
    name,
    description: sanitiseText(tool.description),
    strict: strict && strictFaults(inputSchema, provider).length === 0,
    ...(examples && { inputExamples: examples }),
  }
  return wellFormed(WRITERS[form](described, schema))
}

/**
 * Lists the differences of a tool that a provider gets, one sentence each: keywords that it does not take, keys under
 * other names, and `strict` where the schema is not.
 */
export function sentChanges(
  { inputSchema, strict }: Pick<RequestTool, 'inputSchema' | 'strict'>,
  provider: Provider,
): readonly string[] {
  const faults = strict === true ? strictFaults(inputSchema, provider) : []
  return [
    ...providerSchema(inputSchema, provider).losses.map(
      ({ path, message }) => `${path === '' ? '' : `${path}: `}${message}`,
    ),
    ...faults.slice(0, 1).map(({ path, reason }) => {
      return `It is sent without "strict", because ${path === '' ? 'its schema' : path} ${reason}.`
    }),
  ]
}

const PROVIDER_OF: Readonly<Record<keyof ProviderTools, Provider>> = {
  openai: 'openai',
  'openai-strict': 'openai-strict',
  'openai-chat': 'openai',
  'openai-chat-strict': 'openai-strict',
  anthropic: 'anthropic',
  gemini: 'gemini',
  'gemini-json': 'gemini',
  mcp: 'mcp',
}

const WRITERS: {
  readonly [Form in keyof ProviderTools]: (
    tool: RequestTool,
    schema: JsonSchema,
  ) => ProviderTools[Form]
} = {
  openai: (tool, schema) => ({
    type: 'function',
    ...openaiFunction(tool, schema),
    ...openaiCallers(tool),
  }),
  'openai-strict': (tool, schema) => ({
    type: 'function',
    ...openaiFunction(tool, schema, true),
    ...openaiCallers(tool),
  }),
  'openai-chat': (tool, schema) => ({
    type: 'function',
    function: openaiFunction(tool, schema),
  }),
  'openai-chat-strict': (tool, schema) => ({
    type: 'function',
    function: openaiFunction(tool, schema, true),
  }),
  anthropic: ({ name, description, strict, inputExamples, providerOptions }, schema) => ({
    name,
    description,
    // The arguments of a tool are an object, so their schema has this type at the top.
    input_schema: schema as ObjectSchema,
    ...(strict === true && { strict }),
    ...(inputExamples && { input_examples: inputExamples.map(({ input }) => input) }),
    ...allowedCallers<AnthropicCaller>(providerOptions?.['anthropic']),
  }),
  gemini: ({ name, description }, schema) => ({ name, description, parameters: schema }),
  'gemini-json': ({ name, description }, schema) => ({
    name,
    description,
    parametersJsonSchema: schema,
  }),
  mcp: ({ name, description, outputSchema }, schema) => ({
    name,
    description,
    inputSchema: schema as ObjectSchema,
    ...(outputSchema && { outputSchema: shownSchema(outputSchema) }),
  }),
}

function openaiFunction(
  { name, description, strict: ofTool = false }: RequestTool,
  parameters: JsonSchema,
  strict = ofTool,
): ProviderTools['openai-chat']['function'] {
  return { name, description, parameters, strict }
}

/** Returns who may call a function. A program also gets the schema of its results. */
function openaiCallers({ providerOptions, outputSchema }: RequestTool) {
  const callers = allowedCallers<'direct' | 'programmatic'>(providerOptions?.['openai'])
  const isForPrograms = callers.allowed_callers?.includes('programmatic') === true
  return {
    ...callers,
    ...(isForPrograms && outputSchema && { output_schema: shownSchema(outputSchema) }),
  }
}

function allowedCallers<Name extends string>(
  options: { readonly [name: string]: unknown } | undefined,
): { readonly allowed_callers?: Name[] } {
  const callers = options?.['allowedCallers']
  return Array.isArray(callers) ? { allowed_callers: callers as Name[] } : {}
}
