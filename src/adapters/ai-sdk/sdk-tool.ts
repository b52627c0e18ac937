import {
  asSchema,
  dynamicTool,
  type FlexibleSchema,
  jsonSchema,
  type JSONValue,
  type ModelMessage,
  type Schema,
  type ToolResultPart,
  type ToolSet,
} from 'ai'
import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { contentOutput } from './fit-parts.ts'
import type { ContentPart } from '../../tools/response/content-part.ts'
import { type McpResult, readMcpResult } from '../../tools/response/mcp-result.ts'
import type { AiSdkTool } from '../../tools/definition/ai-sdk-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { modelError } from '../../tools/response/model-text.ts'
import { sdkParts } from '../../tools/response/sdk-parts.ts'
import {
  isToolResponse,
  RESPONSE_VERSION,
  type ToolResponse,
  type ToolSuccess,
} from '../../tools/response/tool-response.ts'
import { providerSchema } from '../../tools/provider-schema/provider-schema.ts'
import { META_TOOL_NAMES } from '../../workspace/offer/meta-tools/meta-tool-name.ts'
import { toolsInResult } from '../../workspace/offer/conversation/history-message.ts'

/** A tool in the SDK's own form. */
export type SdkTool = ToolSet[string]

/** Receives the SDK's calls. */
export interface CallGate {
  call(tool: string, input: unknown, options: SdkCall): Promise<unknown>
  /** The same for a tool that streams: yields its outputs, and its answer last. */
  stream(tool: string, input: unknown, options: SdkCall): AsyncIterable<unknown>
  /** Returns true when a call is known to stream before it is made. */
  streams(tool: string, input: unknown, options: SdkCall): boolean
  /** Returns true for a tool whose type is known at run time only. */
  isDynamic(tool: string): boolean
  /** Throws before the first step. */
  assertBegun(): void
  /** Returns true when the provider has this tool's definition and waits for a reference to it. */
  isDeferred(tool: string): boolean
}

/** The SDK's information about a call. */
export interface SdkCall {
  readonly toolCallId: string
  readonly messages: readonly ModelMessage[]
  readonly abortSignal?: AbortSignal | undefined
  /** The member of `toolsContext` for the tool. */
  readonly context?: unknown
  readonly experimental_sandbox?: unknown
}

/** The fields of a tool that a request has. */
type ShownTool = Pick<Tool, 'name' | 'description' | 'inputSchema'> &
  Partial<Pick<Tool, 'strict' | 'inputExamples' | 'providerOptions' | 'aiSdk' | 'client'>>

/** Options of a tool for its provider. */
export type ProviderOptions = NonNullable<Tool['providerOptions']>

/** Makes the provider keep a definition out of the prompt until a result refers to it. */
export const DEFERRED: ProviderOptions = { anthropic: { deferLoading: true } }

/** Leaves a definition out of the tools of a request: its conversation has it. */
export const OMITTED: ProviderOptions = { openai: { omitFromRequestTools: true } }

/**
 * Makes a tool of the SDK whose calls go through the workspace's own pipeline.
 *
 * The SDK must not validate the arguments, because its refusals reach no log: its schema is sent
 * with the request, and any object passes. Other arguments go to `repairCall`. Invisible characters of the
 * description are shown. The callbacks and the facts for screens of a tool that came from the SDK stay its own.
 */
export function sdkTool(
  tool: ShownTool,
  options: ProviderOptions | undefined,
  gate: CallGate,
): SdkTool {
  const { name, description, inputSchema } = tool
  const providerOptions = mergedOptions(tool.providerOptions, options)
  const own = tool.aiSdk?.()
  const isDynamic = gate.isDynamic(name) || own?.type === 'dynamic'
  // Read for each request: one without a step is an error before it is sent.
  const askedSchema = () => {
    gate.assertBegun()
    return sentSchema(inputSchema)
  }
  const made = dynamicTool({
    ...ownMembers(own),
    ...(tool.strict !== undefined && { strict: tool.strict }),
    ...(tool.inputExamples && { inputExamples: [...tool.inputExamples] }),
    description: sanitiseText(description),
    inputSchema: jsonSchema(askedSchema, { validate: anyObject }),
    // Without it, the run ends with the call, and the client answers it.
    ...(tool.client !== true && {
      execute: (input: unknown, options: SdkCall) =>
        gate.streams(name, input, options)
          ? gate.stream(name, input, options)
          : gate.call(name, input, options),
    }),
    toModelOutput: (given) => ownModelOutput(given, own, name, (one) => gate.isDeferred(one)),
    ...(providerOptions && { providerOptions }),
  })
  return isDynamic ? made : { ...made, type: 'function' }
}

/**
 * Merges options for providers: those of the tool, and those of its place in the request. A deferred definition is not
 * in the prompt, so it cannot have a mark for the cache.
 */
function mergedOptions(own: ProviderOptions | undefined, ours: ProviderOptions | undefined) {
  if (own === undefined || ours === undefined) return (own ?? ours) as SharedV4ProviderOptions
  const merged = Object.entries(ours).map(([provider, options]) => {
    const { cacheControl, cache_control: _, ...rest } = own[provider] ?? {}
    const marks = ours === DEFERRED || cacheControl === undefined ? {} : { cacheControl }
    return [provider, { ...rest, ...marks, ...options }]
  })
  return { ...own, ...Object.fromEntries(merged) } as SharedV4ProviderOptions
}

type DynamicSpec = Parameters<typeof dynamicTool>[0]

/** The members of a tool of the SDK that only the SDK reads. */
function ownMembers(own: AiSdkTool = {}): Partial<DynamicSpec> {
  const { title, metadata, contextSchema, onInputStart, onInputDelta } = own
  const onInputAvailable =
    own.onInputAvailable &&
    (async (given: { readonly input: unknown }) =>
      own.onInputAvailable?.({ ...given, input: await parsedInput(own, given.input) }))
  const members = { title, metadata, onInputStart, onInputDelta, onInputAvailable }
  const given = Object.entries(members).filter(([, member]) => member !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(contextSchema !== undefined && { contextSchema: ifGiven(contextSchema) }),
  }
}

/**
 * Returns arguments as the SDK gives them to the functions of a tool: with the defaults of its schema. Calls and
 * messages have them as the model wrote them. Arguments that do not fit are returned unchanged.
 */
async function parsedInput({ inputSchema }: AiSdkTool, input: unknown): Promise<unknown> {
  try {
    const parsed = await asSchema(inputSchema as FlexibleSchema<unknown>).validate?.(input)
    return parsed?.success === true ? parsed.value : input
  } catch {
    return input
  }
}

/** Checks a context with the schema of a tool. Without one, the tool gets the services of the session. */
function ifGiven(contextSchema: unknown): Schema<Record<string, unknown>> {
  const schema = asSchema(contextSchema as FlexibleSchema<Record<string, unknown>>)
  return jsonSchema(() => schema.jsonSchema, {
    validate: (value) =>
      value === undefined || schema.validate === undefined
        ? { success: true, value: value as Record<string, unknown> }
        : schema.validate(value),
  })
}

/**
 * Returns the schema that requests carry: that for OpenAI, the strictest provider without a form of its own. The
 * SDK's providers pass it on unchanged, and the workspace checks the arguments against the complete one.
 */
export function sentSchema(inputSchema: JsonSchema): JsonSchema {
  return providerSchema(inputSchema, 'openai').schema
}

/** Makes a tool that no request carries: the pipeline refuses its calls with a hint. */
export function unlistedTool(name: string, gate: CallGate, known?: Pick<Tool, 'aiSdk'>): SdkTool {
  const shown = { name, description: '', inputSchema: { type: 'object' } }
  return sdkTool({ ...shown, ...(known?.aiSdk && { aiSdk: known.aiSdk }) }, undefined, gate)
}

/**
 * Accepts any object. Providers accept only objects as arguments when a call is sent back to them.
 */
function anyObject(value: unknown) {
  return isObject(value)
    ? { success: true as const, value }
    : { success: false as const, error: new Error('Arguments are an object.') }
}

/**
 * Makes a record that has a tool for every name and lists none. With it, stored messages of any
 * conversation are converted to the bytes that were sent; without a tool of its name, the SDK
 * leaves a stored result out. Only meta-tools are dynamic. It throws when its tools are listed, as for a request.
 *
 * @param named tools whose own `toModelOutput` made what was sent
 * @param own tools of the SDK that the workspace does not have
 */
export function transcriptTools(
  named: Readonly<Record<string, AiSdkTool | Tool>> = {},
  own: ToolSet = {},
): ToolSet {
  const made = new Map<string, SdkTool>()
  const toolOf = (name: string): SdkTool => {
    const given = Object.hasOwn(named, name) ? named[name] : undefined
    const tool =
      made.get(name) ??
      (Object.hasOwn(own, name) ? (own[name] as SdkTool) : transcriptTool(name, given))
    made.set(name, tool)
    return tool
  }
  return new Proxy(Object.create(null) as ToolSet, {
    get: (_, name) => (typeof name === 'string' ? toolOf(name) : undefined),
    has: (_, name) => typeof name === 'string',
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string'
        ? { value: toolOf(name), enumerable: true, configurable: true, writable: false }
        : undefined,
    ownKeys: () => {
      throw new WorkspaceError(
        'CALL_NOT_PREPARED',
        'The SDK lists the tools of a call that has no workspace: the "prepareCall" of forAiSdk({ open }) was replaced.',
        { hint: 'Give your own to it instead: forAiSdk({ open, prepareCall }).' },
      )
    },
  })
}

const META_TOOLS: ReadonlySet<string> = new Set([...META_TOOL_NAMES, 'runSkillScript'])

function transcriptTool(name: string, named: AiSdkTool | Tool | undefined): SdkTool {
  const own = named === undefined || 'parseInput' in named ? undefined : named
  const tool = dynamicTool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => Promise.reject(new Error('This tool only reads stored messages.')),
    toModelOutput: (given) => ownModelOutput(given, own),
  })
  return META_TOOLS.has(name) || own?.type === 'dynamic' ? tool : { ...tool, type: 'function' }
}

/**
 * Converts an output as its tool of the SDK does. Parts of an MCP result with data are sent as parts: the SDK would
 * write their base64 as text.
 */
function ownModelOutput(
  given: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown },
  own: AiSdkTool | undefined,
  name?: string,
  isDeferred?: (name: string) => boolean,
): Output | Promise<Output> {
  if (own === undefined || isEnvelope(given.output)) {
    return modelOutput(given.output, name, isDeferred)
  }
  const mcp = readMcpResult(given.output)
  const hasData = mcp?.content.some((part) => 'data' in part && part.data !== undefined) === true
  const { toModelOutput } = own
  if (toModelOutput === undefined) {
    // The SDK keeps in messages what JSON carries of an output.
    const json = JSON.stringify(given.output) as string | undefined
    const output: unknown = json === undefined ? null : JSON.parse(json)
    return hasData ? mcpOutput(mcp) : modelOutput(output, name, isDeferred)
  }
  return parsedInput(own, given.input).then(async (input) => {
    const shown = (await toModelOutput({ ...given, input })) as Output
    return hasData ? withoutJson(shown, mcp) : shown
  })
}

/**
 * Returns true if a tool of the SDK converts the data of a recorded result to the parts that were recorded, so that the
 * data can be the output again. It cannot where the log has not all of the data, or the tool has another answer now.
 */
export async function convertsAgain(
  own: AiSdkTool | undefined,
  input: unknown,
  { data, content, meta: { call: toolCallId } }: ToolSuccess,
): Promise<boolean> {
  if (own?.toModelOutput === undefined) return false
  try {
    const shown = sdkParts(await ownModelOutput({ toolCallId, input, output: data }, own))
    return isDeepStrictEqual(shown, content)
  } catch {
    return false
  }
}

type Output = ToolResultPart['output']

function mcpOutput({ content }: Pick<McpResult, 'content'>): Output {
  return contentOutput(content as readonly ContentPart[])
}

/** Replaces texts that are the JSON of a part by the part. */
function withoutJson(output: Output, { given, content }: McpResult): Output {
  if (output.type !== 'content') return output
  const value = output.value.flatMap((part, index) => {
    const known = content[index]
    const isJson = part.type === 'text' && part.text === JSON.stringify(given[index])
    const made = isJson && known ? mcpOutput({ content: [known] }) : null
    return made?.type === 'content' ? made.value : [part]
  })
  return { type: 'content', value }
}

/**
 * Converts an output to what a model reads: its data, or the parts of an envelope. Durations, ids, entry numbers and
 * intents are for the host and cost no tokens.
 *
 * Depends on the output only: a history that was stored and converted again gives the same bytes.
 *
 * @param isDeferred returns true when the provider has a tool's definition and waits for a
 * reference to it
 */
function modelOutput(
  output: unknown,
  tool = '',
  isDeferred: (name: string) => boolean = () => false,
): ToolResultPart['output'] {
  if (!isEnvelope(output)) return dataOutput(output, tool, isDeferred)
  if (!output.ok) return { type: 'error-json', value: modelError(output.error) }
  const { data, content } = output
  return content === undefined ? dataOutput(data, tool, isDeferred) : contentOutput(content)
}

/** Returns true for the envelope of a call, and false for data of a tool that looks like one. */
function isEnvelope(output: unknown): output is ToolResponse {
  return isToolResponse(output) && output.meta?.['version'] === RESPONSE_VERSION
}

/** Converts data, with references to the deferred tools that a result of the workspace's own tools names. */
export function dataOutput(
  data: unknown,
  tool: string,
  isDeferred: (name: string) => boolean,
): ToolResultPart['output'] {
  const names = toolsInResult(tool, data).filter(isDeferred)
  return names.length === 0 ? plainOutput(data) : withReferences(data, names)
}

function plainOutput(value: unknown): ToolResultPart['output'] {
  return typeof value === 'string'
    ? { type: 'text', value }
    : { type: 'json', value: (value ?? null) as JSONValue }
}

/** Builds a result with references, in the form of Anthropic's provider. */
function withReferences(data: unknown, names: readonly string[]): ToolResultPart['output'] {
  return {
    type: 'content',
    value: [
      { type: 'text', text: JSON.stringify(data) },
      ...names.map((toolName) => ({
        type: 'custom' as const,
        providerOptions: { anthropic: { type: 'tool-reference', toolName } },
      })),
    ],
  }
}
