import { checkOptions } from '../../kernel/check-options.ts'
import { deepFreeze, isObject, withoutUndefined } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineTool } from '../define-tool.ts'
import { annotatedFields } from '../definition/annotated-fields.ts'
import type { ToolContext } from '../definition/tool-context.ts'
import type { ConfirmationCondition, Tool } from '../definition/tool.ts'
import {
  type ForeignTool,
  readForeign,
  readRegistered,
  type ReadTool,
  type RegisteringServer,
} from './foreign-tool.ts'
import { ToolError } from '../response/error-type.ts'
import { readMcpResult } from '../response/mcp-result.ts'
import { sdkPart } from '../response/sdk-parts.ts'
import {
  type AiSdkToolDefaults,
  asData,
  BROUGHT_DEFAULTS,
  refuseLosses,
  resultWithParts,
  throwIfFailed,
} from './tools-from-ai-sdk.ts'

/** Options for all tools, and for each one. */
export interface ToolsFromOptions extends Omit<AiSdkToolDefaults, 'requiresConfirmation'> {
  /** Runs the calls of every tool: needed for tools that are only described. `own` runs the code of the tool, if any. */
  execute?(
    tool: string,
    input: unknown,
    context: ToolContext,
    own: (() => unknown) | undefined,
  ): unknown
  /** Returns the fields of one tool that differ from the others, such as its risk. */
  each?(tool: string): ForeignFields
  /** True to ask a person before each call; a function decides for each call. */
  readonly requiresConfirmation?: boolean | ConfirmationCondition
}

/** The fields of a definition that other runtimes do not have. */
type ForeignFields = Omit<ToolsFromOptions, 'execute' | 'each' | 'lossy'>

/**
 * Converts tools that exist, in the form of any runtime: see `ForeignTool` for the forms. A function is given a server
 * of MCP to register its tools with.
 *
 *     toolsFrom(schemas, { execute: (name, input) => run(name, input) }) // the JSON of a request
 *     toolsFrom([weather, search])                                       // { name, parameters or schema, execute or invoke }
 *     toolsFrom((server) => registerFiles(server))                       // registerTool of MCP
 *
 * They keep what they did before: calls have no time limit and may repeat, unknown arguments are left out, results are
 * not checked, the text of an error is unchanged, and `needsApproval` or `requireApproval` asks. `execute` of a tool gets
 * the services of the call as its second argument. Options without an effect are listed in `dropped` of each tool.
 *
 * Throws `TOOL_INVALID` for a tool without a name, or without code and without `execute`; `TOOL_LOSSY` with
 * `lossy: 'error'`; one of the `SCHEMA_` codes for its schema.
 *
 * @param given a list of tools, a record by name, or a function that registers them
 */
export function toolsFrom(
  given:
    | readonly ForeignTool[]
    | Readonly<Record<string, ForeignTool>>
    | ((server: RegisteringServer) => void),
  options: ToolsFromOptions = {},
): readonly Tool[] {
  checkOptions(options, { ...BROUGHT_DEFAULTS, execute: 'function', each: 'function' })
  const { execute, each, lossy = 'warn', ...fields } = options
  const tools = readAll(given).map((tool) => {
    const { name, run: own } = tool
    const run: ReadTool['run'] = execute
      ? (input, context) => execute(name, input, context, own && (() => own(input, context)))
      : own
    if (run === undefined) throw withoutCode(name)
    return toTool({ ...tool, run }, { ...fields, ...each?.(name) })
  })
  if (lossy === 'error') refuseLosses(tools)
  return tools
}

function readAll(given: Parameters<typeof toolsFrom>[0]): readonly ReadTool[] {
  if (typeof given === 'function') return readRegistered(given)
  if (Array.isArray(given)) return given.map((tool: ForeignTool) => readForeign(tool))
  if (isObject(given)) {
    return Object.entries(given).map(([name, tool]) => readForeign(tool as ForeignTool, name))
  }
  throw new WorkspaceError('TOOL_INVALID', 'The tools are no list, record or function.', {
    hint: 'Give a list of tools, a record of them by name, or a function that registers them.',
  })
}

function withoutCode(tool: string): WorkspaceError {
  return new WorkspaceError('TOOL_INVALID', `The tool "${tool}" has no code.`, {
    facts: { tool, field: 'execute' },
    hint: 'Say how its calls run: toolsFrom(tools, { execute: (tool, input) => … }).',
  })
}

function toTool(
  {
    name,
    title,
    annotations,
    fields,
    asks,
    run,
    dropped,
  }: ReadTool & Pick<Required<ReadTool>, 'run'>,
  { trusted = false, ...defaults }: ForeignFields,
): Tool {
  const { description, ...own } = fields
  const text = [description, title].find((one) => typeof one === 'string' && one.trim() !== '')
  const spec = {
    ...(defaults.background !== true && { timeoutMs: Infinity }),
    unknownArguments: 'strip',
    polling: true,
    ...withoutUndefined(own),
    ...(asks !== undefined && { requiresConfirmation: asks }),
    ...defaults,
    name,
    description: text ?? `Calls ${name}.`,
    ...annotatedFields(annotations, defaults, trusted, title),
    execute: async (input: unknown, context: ToolContext) => asResult(await run?.(input, context)),
  }
  // Its own runtime checks results, or nobody does.
  const { parseOutput: _, ...made } = defineTool(spec as Parameters<typeof defineTool>[0]) as Tool
  return Object.freeze({
    ...made,
    isForeign: true as const,
    ...(dropped.length > 0 && { dropped: deepFreeze(dropped) }),
  })
}

/** Reads what a tool returned: a message of LangChain, a result of MCP, or its data. */
function asResult(output: unknown): unknown {
  throwIfFailed(output)
  if (isToolMessage(output)) {
    const { content, artifact, status } = output
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const parts = blocks.map((block) => sdkPart(asPart(block)))
    const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
    if (status === 'error') throw new ToolError('PERMANENT', text, { partialSideEffects: true })
    return resultWithParts(artifact ?? text, parts)
  }
  const mcp = readMcpResult(output)
  return mcp === null ? asData(output) : resultWithParts(mcp.data, mcp.content)
}

/** A result as LangChain writes it for the model. */
interface ToolMessage {
  readonly content: string | readonly object[]
  readonly artifact?: unknown
  readonly status?: 'success' | 'error'
}

function isToolMessage(output: unknown): output is ToolMessage {
  if (typeof output !== 'object' || output === null || !('tool_call_id' in output)) return false
  const content: unknown = Reflect.get(output, 'content')
  return typeof content === 'string' || (Array.isArray(content) && content.every(isObject))
}

/** Converts a block of LangChain to a part of the AI SDK. */
function asPart(block: object): object {
  const { type, data, url, mimeType, image_url: image } = block as Readonly<Record<string, unknown>>
  const link = isObject(image) ? image['url'] : (image ?? url)
  if (typeof data === 'string') return { type: 'file-data', data, mediaType: mimeType }
  return type !== 'text' && typeof link === 'string' ? { type: 'file-url', url: link } : block
}
