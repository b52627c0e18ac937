import { isObject } from '../kernel/json-value.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { defineTool, type ToolFields } from './define-tool.ts'
import type { ToolContext } from './definition/tool-context.ts'
import type { Tool } from './definition/tool.ts'
import type { ReturnedPart } from './response/content-part.ts'
import { ToolError } from './response/error-type.ts'
import { type McpResult, readMcpResult } from './response/mcp-result.ts'
import { sdkParts } from './response/sdk-parts.ts'
import { succeed } from './response/tool-response.ts'
import type { SchemaSource } from './schema/schema-source.ts'

/** The parts of an AI SDK 7 `tool()` that are read, as a structural type, so that the SDK is not imported. */
export interface AiSdkTool {
  readonly type?: string | undefined
  readonly title?: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- a function type of theirs
  readonly description?: string | ((options: any) => string) | undefined
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- another of theirs
  readonly execute?: ((input: any, options: any) => unknown) | undefined
  readonly needsApproval?: unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- another of theirs
  readonly toModelOutput?: ((options: any) => unknown) | undefined
  /** Tools of MCP servers have their `annotations` in it. */
  readonly metadata?: unknown
}

/** Fields that tools of the AI SDK do not have, for all tools of a record. */
export type AiSdkToolDefaults = Omit<ToolFields, 'name' | 'description' | 'extract' | 'summary'> & {
  /**
   * True when the host trusts what the tools say about themselves: annotations may then lower their risk.
   * Otherwise they only raise it.
   */
  readonly trusted?: boolean
}

/**
 * Converts tools of the AI SDK, named by their keys.
 *
 * `execute` gets the services of the session as its `context`, the id of the call, and its signal, but no
 * messages. If it streams, its values are the outputs of the call. With `needsApproval`, even as a
 * function, every call asks for confirmation. Tools without `execute` (dynamic tools, and tools that a
 * provider runs) are unbound. The SDK allows a promise of a schema, which throws `SCHEMA_UNSUPPORTED` here:
 * await it first.
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
  const { trusted = false, ...fields } = defaults
  return Object.entries(record).map(([name, tool]) => {
    return toTool(name, tool, { ...fields, ...annotatedFields(tool, fields, trusted) })
  })
}

type ToolDefaults = Omit<AiSdkToolDefaults, 'trusted'>

/**
 * Returns the fields that the annotations of an MCP tool decide. They may raise the risk that the host gave, and
 * lower the default of an action if the host trusts them.
 */
function annotatedFields(
  { metadata }: AiSdkTool,
  { category, risk, idempotent }: ToolDefaults,
  trusted: boolean,
): Partial<ToolDefaults> {
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined
  if (!isObject(annotations)) return {}
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations
  const isReading = trusted && readOnlyHint === true
  const isSafe = (risk ?? (category === undefined ? 'moderate' : 'safe')) === 'safe'
  return {
    ...(isReading && category === undefined && { category: 'retrieval' }),
    ...(trusted && idempotentHint === true && idempotent === undefined && { idempotent: true }),
    ...(readOnlyHint === false && isSafe && category !== 'action' && { risk: 'moderate' }),
    ...(destructiveHint === true && !isReading && { risk: 'destructive' }),
    ...((readOnlyHint === false || idempotentHint === false) &&
      !(trusted && idempotentHint === true) && { idempotent: false }),
  }
}

function toTool(name: string, tool: AiSdkTool, defaults: ToolDefaults): Tool {
  const inputSchema = unwrapped(tool.inputSchema)
  const outputSchema = unwrapped(tool.outputSchema)
  const approval = tool.needsApproval === true || typeof tool.needsApproval === 'function'
  const { execute, toModelOutput } = tool
  const spec = {
    ...defaults,
    name,
    description: descriptionOf(name, tool),
    ...(approval && { requiresConfirmation: true }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(execute !== undefined && {
      execute: handlerOf(execute, toModelOutput, outputSchema === undefined),
    }),
  }
  return defineTool(spec as Parameters<typeof defineTool>[0]) as Tool
}

/** Returns a schema. A lazy schema is called. */
function unwrapped(schema: unknown): SchemaSource | undefined {
  if (schema === undefined || schema === null) return undefined
  if (typeof schema === 'function' && !('~standard' in schema)) return unwrapped(schema())
  return schema as SchemaSource
}

function descriptionOf(name: string, { title, description }: AiSdkTool): string {
  if (typeof description === 'function') {
    throw new WorkspaceError(
      'TOOL_INVALID',
      `Tool "${name}", field "description": depends on the call, but a definition is hashed.`,
      { facts: { tool: name, field: 'description' }, hint: 'Write the description as text.' },
    )
  }
  const text = [description, title].find((one) => one !== undefined && one.trim() !== '')
  return text ?? `Calls ${name}.`
}

/** Wraps `execute`. A generator stays a generator, so that callers know in advance that it streams. */
function handlerOf(
  execute: NonNullable<AiSdkTool['execute']>,
  toModelOutput: AiSdkTool['toModelOutput'],
  isMcp: boolean,
): NonNullable<Tool['execute']> {
  const run = (value: unknown, { call, signal, services }: ToolContext): unknown =>
    execute(value, {
      toolCallId: call.id,
      messages: [],
      abortSignal: signal,
      context: services,
    })
  const finish = async (input: unknown, output: unknown, { call }: ToolContext) => {
    throwIfFailed(output)
    const mcp = isMcp ? readMcpResult(output) : null
    if (toModelOutput === undefined) return mcp === null ? output : answer(mcp.data, mcp.content)
    const shown: unknown = await toModelOutput({ toolCallId: call.id, input, output })
    if (isObject(shown) && shown['type'] === 'json' && shown['value'] === output) return output
    const parts = sdkParts(shown)
    if (ToolError.is(parts)) throw parts
    return mcp === null ? answer(output, parts) : answer(mcp.data, withoutJson(parts, mcp))
  }
  if (!isAsyncGeneratorFunction(execute)) {
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
    yield value
  }
  return finish(last)
}

/** The SDK writes parts of MCP that it has no form for as JSON, with their base64. Returns them as parts. */
function withoutJson(parts: readonly ReturnedPart[], { given, content }: McpResult) {
  return parts.map((part, index) => {
    const isJson = part.type === 'text' && part.text === JSON.stringify(given[index])
    return isJson ? (content[index] ?? part) : part
  })
}

/** Builds a result. Parts that repeat the data are left out. */
function answer(data: unknown, content: readonly ReturnedPart[]): unknown {
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []))
  const isData = texts.length === content.length && texts.join('\n') === data
  return isData ? data : succeed(data, { content })
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function isAsyncGeneratorFunction(given: object): boolean {
  return Object.prototype.toString.call(given) === '[object AsyncGeneratorFunction]'
}

/** Throws for the result of an MCP tool that failed. What it did before is not known. */
function throwIfFailed(result: unknown): void {
  if (!isObject(result) || result['isError'] !== true || !Array.isArray(result['content'])) return
  const texts = result['content'].flatMap((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? part['text'] : [],
  )
  const message = texts.length === 0 ? 'The tool reports an error.' : texts.join('\n')
  throw new ToolError('PERMANENT', message, { partialSideEffects: true })
}
