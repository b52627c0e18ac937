import { isObject } from '../kernel/json-value.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import { defineTool, type ToolFields } from './define-tool.ts'
import type { ToolContext } from './definition/tool-context.ts'
import type { Tool } from './definition/tool.ts'
import { ToolError } from './response/error-type.ts'
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
 * provider runs) are unbound. `toModelOutput` is not used. The SDK allows a promise of a schema, which
 * throws `SCHEMA_UNSUPPORTED` here: await it first.
 *
 * The annotations of tools of an MCP server count: a tool with `destructiveHint` is destructive. A result of
 * such a tool with `isError` is a failure.
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
  const { execute } = tool
  const spec = {
    ...defaults,
    name,
    description: descriptionOf(name, tool),
    ...(approval && { requiresConfirmation: true }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(execute !== undefined && {
      execute: handlerOf(execute),
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
function handlerOf(execute: NonNullable<AiSdkTool['execute']>): NonNullable<Tool['execute']> {
  const run = (value: unknown, { call, signal, services }: ToolContext): unknown =>
    execute(value, {
      toolCallId: call.id,
      messages: [],
      abortSignal: signal,
      context: services,
    })
  if (!isAsyncGeneratorFunction(execute)) {
    return (value, context) => {
      const result = run(value, context)
      return result instanceof Promise ? result.then(checkResult) : checkResult(result)
    }
  }
  return async function* (value, context) {
    return yield* run(value, context) as AsyncGenerator
  }
}

function isAsyncGeneratorFunction(given: object): boolean {
  return Object.prototype.toString.call(given) === '[object AsyncGeneratorFunction]'
}

/** Throws for the result of an MCP tool that failed. What it did before is not known. */
function checkResult(result: unknown): unknown {
  if (!isObject(result) || result['isError'] !== true || !Array.isArray(result['content'])) {
    return result
  }
  const texts = result['content'].flatMap((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string' ? part['text'] : [],
  )
  const message = texts.length === 0 ? 'The tool reports an error.' : texts.join('\n')
  throw new ToolError('PERMANENT', message, { partialSideEffects: true })
}
