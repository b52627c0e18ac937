import {
  asSchema,
  dynamicTool,
  type FlexibleSchema,
  jsonSchema,
  type ModelMessage,
  type Schema,
  type ToolSet,
} from 'ai'
import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { META_TOOL_NAMES, providerTool } from '../../../entries/adapter.ts'
import { type JsonSchema, type Tool, WorkspaceError } from '../../../entries/index.ts'
import { isObject, wellFormed } from '../../../entries/kit.ts'
import { modelOutput, parsedInput } from './model-output.ts'
import type { AiSdkTool } from '../../../tools/definition/ai-sdk-tool.ts'

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
  /** Returns the arguments of a call under their own keys. */
  ownInput(tool: string, input: unknown): unknown
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
 *
 * @param called the definition that calls are made with, when the conversation has another one than the request
 */
export function sdkTool(
  tool: ShownTool,
  options: ProviderOptions | undefined,
  gate: CallGate,
  rules: ToolRules = 'any',
  called: Pick<ShownTool, 'aiSdk' | 'client'> = tool,
): SdkTool {
  const { name } = tool
  const providerOptions = mergedOptions(tool.providerOptions, options)
  const own = called.aiSdk?.()
  const { description, ...sent } = sentDefinition(tool, rules)
  const isDynamic = gate.isDynamic(name) || own?.type === 'dynamic'
  // Read for each request: one without a step is an error before it is sent.
  const askedSchema = () => {
    gate.assertBegun()
    return sent.inputSchema
  }
  // Providers accept only objects as arguments when a call is sent back to them.
  const validate = (value: unknown) =>
    isObject(value)
      ? { success: true as const, value }
      : { success: false as const, error: new Error('Arguments are an object.') }
  const made = dynamicTool({
    ...ownMembers(own, (input) => gate.ownInput(name, input)),
    ...sent,
    description,
    inputSchema: jsonSchema(askedSchema, { validate }),
    // Without it, the run ends with the call, and the client answers it.
    ...(called.client !== true && {
      execute: (input: unknown, options: SdkCall) =>
        gate.streams(name, input, options)
          ? gate.stream(name, input, options)
          : gate.call(name, input, options),
    }),
    toModelOutput: (given) =>
      modelOutput({ ...given, input: gate.ownInput(name, given.input) }, own, name, (one) =>
        gate.isDeferred(one),
      ),
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
function ownMembers(
  own: AiSdkTool = {},
  ownInput: (input: unknown) => unknown,
): Partial<DynamicSpec> {
  const { title, metadata, contextSchema, onInputStart, onInputDelta } = own
  const onInputAvailable =
    own.onInputAvailable &&
    (async (given: { readonly input: unknown }) =>
      own.onInputAvailable?.({ ...given, input: await parsedInput(own, ownInput(given.input)) }))
  const members = { title, metadata, onInputStart, onInputDelta, onInputAvailable }
  const given = Object.entries(members).filter(([, member]) => member !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(contextSchema !== undefined && { contextSchema: ifGiven(contextSchema) }),
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

/** The provider whose rules a definition follows; `any` for one that is not known, such as behind a gateway. */
export type ToolRules = 'openai' | 'anthropic' | 'any'

/**
 * Returns the parts of a definition that requests carry, in a form that the provider takes. The SDK's providers pass
 * them on unchanged, and the workspace checks the arguments against the complete schema.
 */
export function sentDefinition(tool: ShownTool, rules: ToolRules) {
  const { description, parameters, strict } = providerTool(tool, 'openai')
  const { input_schema, strict: isStrict = false, input_examples } = providerTool(tool, 'anthropic')
  const isOpenAi = rules === 'openai'
  const both = { openai: strict, anthropic: isStrict, any: strict && isStrict }
  return {
    description,
    inputSchema: (isOpenAi ? parameters : input_schema) as JsonSchema,
    ...(tool.strict !== undefined && { strict: both[rules] }),
    ...(input_examples && {
      inputExamples: isOpenAi
        ? wellFormed([...(tool.inputExamples ?? [])])
        : input_examples.map((input) => ({ input })),
    }),
  } as const
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

const META_TOOLS: ReadonlySet<string> = new Set([
  ...META_TOOL_NAMES,
  'runSkillScript',
  'read_result',
])

function transcriptTool(name: string, named: AiSdkTool | Tool | undefined): SdkTool {
  const own = named === undefined || 'parseInput' in named ? undefined : named
  const tool = dynamicTool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => Promise.reject(new Error('This tool only reads stored messages.')),
    toModelOutput: (given) => modelOutput(given, own),
  })
  return META_TOOLS.has(name) || own?.type === 'dynamic' ? tool : { ...tool, type: 'function' }
}
