import {
  dynamicTool,
  jsonSchema,
  type JSONValue,
  type ModelMessage,
  type ToolResultPart,
  type ToolSet,
} from 'ai'
import type { StepCost } from '../../engine/model/step-cost.ts'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { isToolResponse, type ResponseError } from '../../tools/response/tool-response.ts'
import { shownSchema } from '../../tools/schema/shown-schema.ts'

/** Any of the tools in the SDK's own form. */
export type SdkTool = ToolSet[string]

/** Where the SDK's calls go. */
export interface CallGate {
  /** Whether a person has to be asked about this very call first. */
  asks(tool: string, input: unknown, options: SdkCall): Promise<boolean>
  call(tool: string, input: unknown, options: SdkCall): Promise<unknown>
  /** The same for a tool that streams: what it yields, and its answer last. */
  stream(tool: string, input: unknown, options: SdkCall): AsyncIterable<unknown>
  /** Whether a call is known to stream before it is made. */
  streams(tool: string, input: unknown, options: SdkCall): boolean
  /** Whether the provider has this tool's definition, and waits for a reference to it. */
  refers(tool: string): boolean
}

/** What the SDK tells of a call it makes. */
export interface SdkCall {
  readonly toolCallId: string
  readonly messages: readonly ModelMessage[]
  readonly abortSignal?: AbortSignal | undefined
}

/** A tool as the request carries it. */
interface ShownTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** Tells the provider to keep a definition out of the prompt until a result refers to it. */
const DEFERRED = { anthropic: { deferLoading: true } }

/**
 * A tool for the SDK that goes through the workspace's own pipeline.
 *
 * The SDK must not judge the arguments, because its refusals reach no log: its schema is sent
 * with the request, and any object passes it. What is no object goes to `repairCall`. The tool
 * is `dynamic`, as its type is known at run time only. What a reader would not see is shown.
 */
export function sdkTool(tool: ShownTool, deferred: boolean, gate: CallGate): SdkTool {
  const { name, description, inputSchema } = tool
  return dynamicTool({
    description: sanitiseText(description),
    inputSchema: jsonSchema(shownSchema(inputSchema), { validate: anyObject }),
    needsApproval: (input, options) => gate.asks(name, input, options),
    execute: (input, options) =>
      gate.streams(name, input, options)
        ? gate.stream(name, input, options)
        : gate.call(name, input, options),
    toModelOutput: ({ output }) => modelOutput(output, name, (one) => gate.refers(one)),
    ...(deferred && { providerOptions: DEFERRED }),
  })
}

/** A tool that no request carries: its calls are refused in the pipeline, with what to do. */
export function unlistedTool(name: string, gate: CallGate): SdkTool {
  return sdkTool({ name, description: '', inputSchema: { type: 'object' } }, false, gate)
}

/** Providers take nothing but an object for arguments when the call is sent back to them. */
function anyObject(value: unknown) {
  return isObject(value)
    ? { success: true as const, value }
    : { success: false as const, error: new Error('Arguments are an object.') }
}

/**
 * A record that has a tool for every name and lists none: with it, stored messages of any
 * conversation are converted to the bytes that were sent. Without a tool of its name the SDK
 * leaves a stored result out.
 */
export function transcriptTools(): ToolSet {
  const tool: SdkTool = dynamicTool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => Promise.reject(new Error('This tool only reads what was said before.')),
    toModelOutput: ({ output }) => modelOutput(output),
  })
  return new Proxy(Object.create(null) as ToolSet, {
    get: (_, name) => (typeof name === 'string' ? tool : undefined),
    has: (_, name) => typeof name === 'string',
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string'
        ? { value: tool, enumerable: true, configurable: true, writable: false }
        : undefined,
  })
}

/** Results that name tools for the model to call. */
const NAMING: ReadonlySet<string> = new Set(['tool_search', 'loadSkill'])

/**
 * What a model reads of an envelope: the data alone, or what went wrong and what to do about it.
 * Durations, ids, entry numbers and intents are the host's and cost no tokens.
 *
 * A function of the envelope only: a history that was stored and converted again gives the bytes
 * that were sent before.
 *
 * @param refers whether the provider has a tool's definition, and waits for a reference to it
 */
function modelOutput(
  output: unknown,
  tool = '',
  refers: (name: string) => boolean = () => false,
): ToolResultPart['output'] {
  if (!isToolResponse(output)) return read(output)
  if (output.ok) {
    const names = NAMING.has(tool) ? toolsNamed(output.data).filter(refers) : []
    return names.length === 0 ? read(output.data) : withReferences(output.data, names)
  }
  return { type: 'error-json', value: failure(output.error as ResponseError) }
}

function read(value: unknown): ToolResultPart['output'] {
  return typeof value === 'string'
    ? { type: 'text', value }
    : { type: 'json', value: (value ?? null) as JSONValue }
}

/** The hint of a refusal is part of its message; its details repeat both for programs. */
function failure({
  type,
  message,
  retryable,
  partialSideEffects,
  details,
}: ResponseError): JSONValue {
  const tells = Object.keys(details ?? {}).length > 0 && !Object.hasOwn(details, 'code')
  return {
    error: type,
    message,
    ...(retryable && { retryable }),
    ...(partialSideEffects && { partialSideEffects }),
    ...(tells && { details: details as JSONValue }),
  }
}

/** The tools of a result that can be called from the next request on. */
function toolsNamed(data: unknown): readonly string[] {
  if (!isObject(data) || !Array.isArray(data['tools'])) return []
  return data['tools'].flatMap((tool: unknown) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string') return []
    const { name, callable = 'now', status = 'available' } = tool
    return callable !== 'load-first' && status === 'available' ? name : []
  })
}

/** The form in which Anthropic's provider takes references in a result. */
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

/**
 * The one provider whose own deferral the SDK carries both ways: the mark on a definition, and
 * the reference in the result of a client's tool.
 */
export function defersNatively({ provider }: Pick<StepCost, 'provider'>): boolean {
  return provider === 'anthropic'
}
