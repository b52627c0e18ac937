import { deepFreeze, isObject, withoutUndefined } from '../../kernel/json-value.ts'
import { thrownMessage, tryOrUndefined } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineTool, type ToolFields } from '../define-tool.ts'
import {
  type AiSdkTool,
  type DroppedOption,
  optionsWithoutEffect,
} from '../definition/ai-sdk-tool.ts'
import { annotatedFields } from '../definition/annotated-fields.ts'
import type { ToolContext } from '../definition/tool-context.ts'
import type { Tool } from '../definition/tool.ts'
import { withProgramTools } from './with-program-tools.ts'
import type { ReturnedPart } from '../response/content-part.ts'
import { ToolError } from '../response/error-type.ts'
import { type McpResult, readMcpResult } from '../response/mcp-result.ts'
import { sdkParts } from '../response/sdk-parts.ts'
import { succeed } from '../response/tool-response.ts'
import { readShownSchema } from '../../schema/interpreter/read-schema.ts'
import type { SchemaSource } from '../../schema/interpreter/schema-source.ts'
import { checkKind, checkOptions, type OptionsOf } from '../../kernel/check-options.ts'

/** Options for all tools of a record: fields that tools of the AI SDK do not have, and the treatment of losses. */
export type AiSdkToolDefaults = Omit<
  ToolFields,
  'name' | 'description' | 'extract' | 'summary' | 'annotations'
> & {
  /**
   * True when the host trusts what the tools say about themselves: annotations may then lower their risk.
   * Otherwise they only raise it.
   */
  readonly trusted?: boolean
  /**
   * The treatment of options that have no effect here. By default, each is a finding of the catalog
   * (`sdk-option-dropped`), or a warning of the session that registers the tool. With `error`, they throw `TOOL_LOSSY`.
   */
  readonly lossy?: 'warn' | 'error'
}

/** Fields are checked with the tools. */
export const BROUGHT_DEFAULTS: OptionsOf<AiSdkToolDefaults> = {
  background: true,
  category: true,
  client: true,
  documentation: true,
  extraction: true,
  guidance: true,
  idempotent: true,
  inputExamples: true,
  latencyMs: true,
  modes: true,
  phrases: true,
  polling: true,
  providerOptions: true,
  related: true,
  requiresConfirmation: true,
  retries: true,
  risk: true,
  strict: true,
  timeoutMs: true,
  resultTokens: true,
  repairArguments: 'switch',
  topic: true,
  unknownArguments: true,
  version: true,
  trusted: 'switch',
  lossy: ['warn', 'error'],
}

/**
 * Converts tools of the AI SDK, named by their keys.
 *
 * `execute`, `needsApproval` and the callbacks of input get what the SDK gives them, if the call comes through
 * `forAiSdk`. For other calls there are no messages, and the `context` is the services of the session. If `execute`
 * streams, its values are the outputs of the call. As in the SDK, calls have no time limit, arguments that the schema
 * does not know are left out, and results are not checked; `timeoutMs` and `unknownArguments` set other limits.
 *
 * The programs of a tool that runs some, such as code mode, call the tools of the workspace, as calls within its call.
 *
 * The client answers calls of a tool without `execute`. Tools that a provider runs are unbound. The SDK allows a
 * promise of a schema, which throws `SCHEMA_UNSUPPORTED` here: await it first. Options without an effect are listed in
 * `dropped` of each tool.
 *
 * What `toModelOutput` returns becomes the parts of the result, or a failure if it is an error. The output of
 * `execute` stays the data.
 *
 * The annotations of tools of an MCP server count: a tool with `destructiveHint` is destructive. A result of
 * such a tool with `isError` is a failure. Of any other, the parts are those of the result, and the data is its
 * structured content, or else its text.
 */
export function toolsFromAiSdk(
  record: Readonly<Record<string, AiSdkTool>>,
  defaults: AiSdkToolDefaults = {},
): readonly Tool[] {
  checkKind(record, 'record', 'object')
  checkOptions(defaults, BROUGHT_DEFAULTS)
  const { trusted = false, lossy = 'warn', ...given } = defaults
  const fields: ToolDefaults = {
    ...(given.background !== true && { timeoutMs: Infinity }),
    unknownArguments: 'strip',
    ...given,
  }
  const tools = Object.entries(record).map(([name, tool]) => {
    const { metadata, title } = tool
    const annotations = isObject(metadata) ? metadata['annotations'] : undefined
    return toTool(name, tool, {
      ...fields,
      ...annotatedFields(annotations, fields, trusted, title),
    })
  })
  if (lossy === 'error') refuseLosses(tools)
  return tools
}

/** Throws `TOOL_LOSSY`, which lists the options that have no effect, by tool. */
export function refuseLosses(tools: readonly Tool[]): void {
  const losses = tools.flatMap(({ name, dropped = [] }) =>
    dropped.map((one) => ({ tool: name, ...one })),
  )
  if (losses.length === 0) return
  const listed = losses.map(({ tool, option, reason }) => `"${tool}": "${option}" ${reason}`)
  throw new WorkspaceError('TOOL_LOSSY', `Options of tools have no effect. ${listed.join(' ')}`, {
    facts: { dropped: losses },
    hint: [...new Set(losses.map(({ hint }) => hint))].join(' '),
  })
}

type ToolDefaults = Omit<AiSdkToolDefaults, 'trusted' | 'lossy'>

function toTool(name: string, given: AiSdkTool, defaults: ToolDefaults): Tool {
  const tool = withProgramTools(given)
  const { execute, toModelOutput, needsApproval } = tool
  const inputSchema = unwrapped(tool.inputSchema)
  const sent = sentFields(tool)
  const dropped = [...sent.dropped, ...optionsWithoutEffect(tool)]
  const spec = {
    ...defaults,
    ...sent.fields,
    name,
    ...(defaults.requiresConfirmation !== true &&
      needsApproval !== undefined && { requiresConfirmation: asCondition(needsApproval) }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(execute === undefined && tool.type !== 'provider' && { client: true }),
    ...(execute !== undefined && {
      execute: wrapHandler(execute, toModelOutput, tool.outputSchema === undefined),
    }),
    description: sent.fields.description ?? `Calls ${name}.`,
  }
  // As in the SDK, the schema of the output is for readers.
  const { parseOutput: _, ...made } = defineTool(spec as Parameters<typeof defineTool>[0]) as Tool
  return Object.freeze({
    ...made,
    aiSdk: () => tool,
    ...(dropped.length > 0 && { dropped: deepFreeze(dropped) }),
  })
}

/** Asks as the SDK does: by a fixed answer, or by a function of the call. */
function asCondition(needsApproval: NonNullable<AiSdkTool['needsApproval']>) {
  if (typeof needsApproval !== 'function') return needsApproval
  return (input: unknown, context: Pick<ToolContext, 'services' | 'call' | 'aiSdk'>) => {
    const { toolCallId, messages, context: ofTool } = callOptions(context)
    return needsApproval(input, { toolCallId, messages, context: ofTool })
  }
}

/** Returns the options that the SDK gives to the functions of a tool. */
function callOptions({ call, services, aiSdk }: Pick<ToolContext, 'services' | 'call' | 'aiSdk'>) {
  const { messages = [], context = services, experimental_sandbox } = aiSdk ?? {}
  return {
    toolCallId: call.id,
    messages,
    context,
    ...(experimental_sandbox !== undefined && { experimental_sandbox }),
  }
}

/** Returns the fields that a request carries, or that readers see, and the options that do not fit them. */
function sentFields(tool: AiSdkTool) {
  const { title, description, outputSchema, strict, inputExamples, providerOptions } = tool
  const dropped: DroppedOption[] = []
  const drop = (option: keyof AiSdkTool, reason: string, hint: string) => {
    dropped.push({ option, reason, hint })
    return undefined
  }
  const asText = (describe: () => string): string | undefined => {
    const option = 'description'
    try {
      const text = describe()
      return drop(option, 'is a function, so its text is that of now.', TEXT_HINT) ?? text
    } catch (thrown) {
      const why = thrownMessage(thrown)
      return drop(option, `is a function that needs a call (${why}), so it is left out.`, TEXT_HINT)
    }
  }
  const asJson = (option: 'inputExamples' | 'providerOptions', value: unknown): unknown => {
    const copy: unknown = tryOrUndefined(() => JSON.parse(JSON.stringify(value)))
    return copy ?? drop(option, 'has values that JSON cannot carry.', 'Write them as JSON.')
  }
  const text = typeof description === 'function' ? asText(() => description({})) : description
  const output = unwrapped(outputSchema)
  const shown = output === undefined ? {} : readShownSchema(output)
  if (shown.lost !== undefined) {
    drop('outputSchema', `is not shown completely: ${shown.lost}`, 'Results are not checked by it.')
  }
  const fields = {
    description: [text, title].find((one) => one !== undefined && one.trim() !== ''),
    outputSchema: shown.jsonSchema,
    strict,
    inputExamples: inputExamples && asJson('inputExamples', inputExamples),
    providerOptions: isObject(providerOptions)
      ? asJson('providerOptions', providerOptions)
      : undefined,
  }
  return { fields: withoutUndefined(fields), dropped }
}

const TEXT_HINT = 'A definition has one text, which its hash covers: write the description as text.'

/** Returns a schema. A lazy schema is called. */
function unwrapped(schema: unknown): SchemaSource | undefined {
  if (schema === undefined || schema === null) return undefined
  if (typeof schema === 'function' && !('~standard' in schema)) return unwrapped(schema())
  return schema as SchemaSource
}

/** Wraps `execute`. A generator stays a generator, so that callers know in advance that it streams. */
function wrapHandler(
  execute: NonNullable<AiSdkTool['execute']>,
  toModelOutput: AiSdkTool['toModelOutput'],
  isMcp: boolean,
): NonNullable<Tool['execute']> {
  const run = (value: unknown, context: ToolContext): unknown =>
    execute(value, { ...callOptions(context), abortSignal: context.signal }, context)
  const finish = async (input: unknown, output: unknown, { call, aiSdk }: ToolContext) => {
    aiSdk?.onReturned?.(output)
    throwIfFailed(output)
    const mcp = isMcp ? readMcpResult(output) : null
    if (toModelOutput === undefined)
      return mcp === null ? asData(output) : resultWithParts(mcp.data, mcp.content)
    const shown: unknown = await toModelOutput({ toolCallId: call.id, input, output })
    if (isObject(shown) && shown['type'] === 'json' && shown['value'] === output)
      return asData(output)
    const parts = sdkParts(shown)
    if (ToolError.is(parts)) throw parts
    return mcp === null
      ? resultWithParts(output, parts)
      : resultWithParts(mcp.data, withoutJson(parts, mcp))
  }
  if (Object.prototype.toString.call(execute) !== '[object AsyncGeneratorFunction]') {
    return (value, context) => {
      const end = (output: unknown) => finish(value, output, context)
      const result = run(value, context)
      return isStream(result)
        ? followed(result, end)
        : Promise.resolve(result).then((one) => (isStream(one) ? followed(one, end) : end(one)))
    }
  }
  return async function* (value, context) {
    const stream = run(value, context) as AsyncIterable<unknown>
    return yield* followed(stream, (last) => finish(value, last, context))
  }
}

/** Yields the values of a stream, and returns what is made of the last one. */
async function* followed(
  stream: AsyncIterable<unknown>,
  finish: (last: unknown) => Promise<unknown>,
): AsyncGenerator {
  let last: unknown
  for await (const value of stream) {
    last = value
    yield asData(value)
  }
  return finish(last)
}

/** Wraps data that could be taken for an envelope of this project, whose intents and failures count. */
export function asData(output: unknown): unknown {
  return isObject(output) && 'ok' in output ? succeed(output) : output
}

/** The SDK writes parts of MCP that it has no form for as JSON, with their base64. Returns them as parts. */
function withoutJson(parts: readonly ReturnedPart[], { given, content }: McpResult) {
  return parts.map((part, index) => {
    const isJson = part.type === 'text' && part.text === JSON.stringify(given[index])
    return isJson ? (content[index] ?? part) : part
  })
}

/** Builds a result. Parts that repeat the data are left out. */
export function resultWithParts(data: unknown, content: readonly ReturnedPart[]): unknown {
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []))
  const isData = texts.length === content.length && texts.join('\n') === data
  return isData ? asData(data) : succeed(data, { content })
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Throws for the result of an MCP tool that failed. What it did before is not known. */
export function throwIfFailed(result: unknown): void {
  if (!isObject(result) || result['isError'] !== true || !Array.isArray(result['content'])) return
  const texts = result['content'].flatMap((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? part['text'] : [],
  )
  const message = texts.length === 0 ? 'The tool reports an error.' : texts.join('\n')
  throw new ToolError('PERMANENT', message, { partialSideEffects: true })
}
