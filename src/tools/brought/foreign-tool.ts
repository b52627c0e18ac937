import { checkKind } from '../../kernel/check-options.ts'
import { isObject } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { fromZodShape } from '../../schema/interpreter/from-zod-three.ts'
import type { SchemaSource } from '../../schema/interpreter/schema-source.ts'
import type { DroppedOption } from '../definition/ai-sdk-tool.ts'
import type { ToolContext } from '../definition/tool-context.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- parameters of functions of theirs
type TheirFunction = (...given: any[]) => unknown

/**
 * A tool in a form that agents use elsewhere:
 *
 * - the JSON of a request to a provider, or of MCP's `tools/list`, which has no code;
 * - `{ name, schema, invoke }` of LangChain, and a function tool of the OpenAI Agents SDK;
 * - `{ name, parameters, execute }` or `{ id, inputSchema, execute }`, such as Mastra's.
 */
export interface ForeignTool {
  readonly type?: string
  readonly function?: object
  readonly name?: string
  readonly id?: string
  readonly title?: string | undefined
  readonly description?: unknown
  readonly parameters?: unknown
  readonly schema?: unknown
  readonly inputSchema?: unknown
  readonly input_schema?: unknown
  readonly parametersJsonSchema?: unknown
  readonly outputSchema?: unknown
  readonly strict?: boolean | null | undefined
  readonly annotations?: object | undefined
  readonly needsApproval?: boolean | TheirFunction | undefined
  readonly requireApproval?: boolean | TheirFunction | undefined
  readonly timeoutMs?: number | undefined
  readonly execute?: TheirFunction | undefined
  readonly invoke?: TheirFunction | undefined
}

/** A server of MCP, for the code that registers tools with one. */
export interface RegisteringServer {
  /** Takes a tool as `McpServer` does. */
  registerTool(name: string, config: object, handler: TheirFunction): unknown
}

/** A tool of any form, after it was read. */
export interface ReadTool {
  readonly name: string
  readonly title: unknown
  readonly annotations: unknown
  /** The fields of a definition that it has. */
  readonly fields: {
    readonly description: unknown
    readonly inputSchema: SchemaSource | undefined
    readonly outputSchema: SchemaSource | undefined
    readonly strict: boolean | undefined
    readonly timeoutMs: number | undefined
  }
  /** Its question, for the arguments of a call; absent if it asks nobody. */
  readonly asks: boolean | Asks | undefined
  /** Runs it as its own runtime does; absent if it has no code. */
  readonly run: ((input: unknown, context: ToolContext) => unknown) | undefined
  readonly dropped: readonly DroppedOption[]
}

type Asks = (input: unknown, context: Pick<ToolContext, 'services' | 'call'>) => unknown

/** Reads the tools that code registers with a server of MCP. */
export function readRegistered(register: (server: RegisteringServer) => void): readonly ReadTool[] {
  const tools: ReadTool[] = []
  register({
    registerTool(name, config, handler) {
      const { inputSchema, ...others } = config as ForeignTool
      const tool = readForeign({ ...others, name, inputSchema: fromZodShape(inputSchema) }, name)
      const run: ReadTool['run'] = (input, { signal, call }) => {
        const extra = { signal, requestId: call.id, sessionId: call.session }
        return inputSchema === undefined ? handler(extra) : handler(input, extra)
      }
      tools.push({ ...tool, run })
    },
  })
  return tools
}

/**
 * Reads a tool.
 *
 * @param key its key in a record, which is its name there
 */
export function readForeign(given: ForeignTool, key?: string): ReadTool {
  checkKind(given, key ?? 'tool', 'object')
  const declared = isObject(given.function) ? (given.function as ForeignTool) : given
  const { title, annotations, strict, outputSchema, timeoutMs } = declared
  const name = key ?? declared.name ?? declared.id
  if (name === undefined) {
    throw new WorkspaceError('TOOL_INVALID', 'A tool has no name.', {
      facts: { tool: Object.keys(declared) },
      hint: 'Give it "name", or give a record: toolsFrom({ lookup }).',
    })
  }
  const schema =
    declared.inputSchema ??
    declared.input_schema ??
    declared.parametersJsonSchema ??
    declared.parameters ??
    declared.schema
  return {
    name,
    title,
    annotations,
    fields: {
      description: declared.description,
      inputSchema: (schema ?? undefined) as SchemaSource | undefined,
      outputSchema: (outputSchema ?? undefined) as SchemaSource | undefined,
      strict: strict ?? undefined,
      timeoutMs,
    },
    asks: readQuestion(declared),
    run: readRunner(declared),
    dropped: withoutEffect(declared),
  }
}

/** Returns true for a function tool of the OpenAI Agents SDK: its arguments are text. */
function isAgentsTool({ type, invoke, parameters }: ForeignTool): boolean {
  return type === 'function' && invoke !== undefined && parameters !== undefined
}

function readRunner(tool: ForeignTool): ReadTool['run'] {
  const { execute, invoke } = tool
  if (execute !== undefined) {
    return (input, context) => execute.call(tool, input, ownContext(context))
  }
  if (invoke === undefined) return undefined
  if (isAgentsTool(tool)) {
    return (input, { services, signal, call }) => {
      const text = JSON.stringify(input)
      const toolCall = { type: 'function_call', callId: call.id, name: call.tool, arguments: text }
      return invoke.call(tool, { context: services }, text, { toolCall, signal })
    }
  }
  const takesCalls = 'lc_namespace' in tool
  return (input, context) => {
    const { id, tool: name } = context.call
    const given = takesCalls ? { type: 'tool_call', id, name, args: input } : input
    return invoke.call(tool, given, { signal: context.signal, context: context.services })
  }
}

/** Returns the second argument of a tool: the services of the call, or else what the AI SDK and Mastra give. */
function ownContext({ services, signal, call }: ToolContext): unknown {
  return services ?? { abortSignal: signal, toolCallId: call.id, messages: [] }
}

function readQuestion(tool: ForeignTool): ReadTool['asks'] {
  const { needsApproval, requireApproval } = tool
  if (typeof needsApproval === 'function' && isAgentsTool(tool)) {
    return (input, { services, call }) => needsApproval({ context: services }, input, call.id)
  }
  const asks = needsApproval ?? requireApproval
  if (typeof asks !== 'function') return asks
  return (input, { services, call }) => asks(input, services ?? { toolCallId: call.id })
}

/** The options of other runtimes that have no effect here, and what to do instead. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  returnDirect: 'End the run yourself after this call.',
  inputGuardrails: 'Use a rule of permissions with "when".',
  outputGuardrails: 'Check the result in "execute".',
  timeoutErrorFunction: 'The model reads the error TIMEOUT.',
  deferLoading: 'Open the workspace with discovery, which finds tools that are not offered yet.',
  toModelOutput: 'Return { ok: true, data, content } from "execute", or use toolsFromAiSdk.',
  suspendSchema: 'Ask before the call: requireApproval, or "ctx.elicit" in "execute".',
  resumeSchema: 'Ask before the call: requireApproval, or "ctx.elicit" in "execute".',
  requestContextSchema: 'Check the services of the session when you open it.',
  _meta: 'Only the server of its author sends it.',
  execution: 'Use "background" for calls that take long.',
}

function withoutEffect(tool: object): readonly DroppedOption[] {
  return Object.entries(WITHOUT_EFFECT).flatMap(([option, hint]) => {
    const value: unknown = Reflect.get(tool, option)
    const isSet = Array.isArray(value) ? value.length > 0 : Boolean(value)
    if (!isSet) return []
    return [{ option, reason: 'has no effect here.', hint }]
  })
}
