import { WorkspaceError } from '../kernel/workspace-error.ts'
import { defineTool, type ToolFields } from './define-tool.ts'
import type { ToolContext } from './definition/tool-context.ts'
import type { Tool } from './definition/tool.ts'
import type { SchemaSource } from './schema/schema-source.ts'

/** What is read of a `tool()` of the AI SDK 7, described by structure so that it is not imported. */
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
}

/** What the AI SDK does not say about a tool, for all tools of a record. */
export type AiSdkToolDefaults = Omit<ToolFields, 'name' | 'description' | 'extract' | 'summary'>

/**
 * Bring tools of the AI SDK in, named by their keys.
 *
 * `execute` gets the services of the session as its `context`, the id of the call and its
 * signal, and no messages. Where it streams, its values are the outputs of the call. A `needsApproval`,
 * also one that is a function, asks for confirmation each time. Tools without `execute`
 * (dynamic ones, tools a provider runs) are unbound. `toModelOutput` is not carried over. A schema
 * that is still a promise, which the SDK allows, is `SCHEMA_UNSUPPORTED`: await it first.
 */
export function toolsFromAiSdk(
  record: Readonly<Record<string, AiSdkTool>>,
  defaults: AiSdkToolDefaults = {},
): readonly Tool[] {
  return Object.entries(record).map(([name, tool]) => toTool(name, tool, defaults))
}

function toTool(name: string, tool: AiSdkTool, defaults: AiSdkToolDefaults): Tool {
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

/** A schema as it is; a lazy one is called. */
function unwrapped(schema: unknown): SchemaSource | undefined {
  if (schema === undefined || schema === null) return undefined
  if (typeof schema === 'function' && !('~standard' in schema)) return unwrapped(schema())
  return schema as SchemaSource
}

function descriptionOf(name: string, { title, description }: AiSdkTool): string {
  if (typeof description === 'function') {
    throw new WorkspaceError(
      'TOOL_INVALID',
      `Tool "${name}", field "description": depends on the call, and a definition is hashed.`,
      { facts: { tool: name, field: 'description' }, hint: 'Give the description as text.' },
    )
  }
  const told = [description, title].find((text) => text !== undefined && text.trim() !== '')
  return told ?? `Calls ${name}.`
}

/** One that is a generator stays one: who calls it can tell beforehand that it streams. */
function handlerOf(execute: NonNullable<AiSdkTool['execute']>): NonNullable<Tool['execute']> {
  const run = (value: unknown, { call, signal, services }: ToolContext): unknown =>
    execute(value, {
      toolCallId: call.id,
      messages: [],
      abortSignal: signal,
      context: services,
    })
  if (!isAsyncGeneratorFunction(execute)) return run
  return async function* (value, context) {
    return yield* run(value, context) as AsyncGenerator
  }
}

function isAsyncGeneratorFunction(given: object): boolean {
  return Object.prototype.toString.call(given) === '[object AsyncGeneratorFunction]'
}
