import { dynamicTool, jsonSchema, type ModelMessage, type ToolSet } from 'ai'
import type { JsonSchema } from '../../kernel/json.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { shownSchema } from '../../tools/schema/shown-schema.ts'
import { isObject } from './is-object.ts'
import { modelOutput } from './model-output.ts'

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
export interface ShownTool {
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
