import {
  asSchema,
  type FlexibleSchema,
  type JSONValue,
  type ModelMessage,
  type ToolResultPart,
} from 'ai'
import { type ContentPart, toolsInResult } from '../../../entries/adapter.ts'
import type { ToolResponse } from '../../../entries/index.ts'
import { canonicalJson } from '../../../entries/kit.ts'
import { contentOutput, withResults } from './fit-parts.ts'
import { toolReference } from './read-message.ts'
import type { AiSdkTool } from '../../../tools/definition/ai-sdk-tool.ts'
import { type McpResult, readMcpResult } from '../../../tools/response/mcp-result.ts'
import { modelError } from '../../../tools/response/model-text.ts'
import { sdkParts } from '../../../tools/response/sdk-parts.ts'
import {
  isToolResponse,
  RESPONSE_VERSION,
  type ToolSuccess,
} from '../../../tools/response/tool-response.ts'

/**
 * Converts an output as its tool of the SDK does. Parts of an MCP result with data are sent as parts: the SDK would
 * write their base64 as text.
 */
export function modelOutput(
  given: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown },
  own: AiSdkTool | undefined,
  name?: string,
  isDeferred?: (name: string) => boolean,
): Output | Promise<Output> {
  if (own === undefined || isEnvelope(given.output)) {
    return defaultOutput(given.output, name, isDeferred)
  }
  const mcp = readMcpResult(given.output)
  const hasData = mcp?.content.some((part) => 'data' in part && part.data !== undefined) === true
  const { toModelOutput } = own
  if (toModelOutput === undefined) {
    // The SDK keeps in messages what JSON carries of an output.
    const json = JSON.stringify(given.output) as string | undefined
    const output: unknown = json === undefined ? null : JSON.parse(json)
    return hasData ? mcpOutput(mcp) : defaultOutput(output, name, isDeferred)
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
    const shown = sdkParts(await modelOutput({ toolCallId, input, output: data }, own))
    return isSameJson(shown, content)
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
function defaultOutput(
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
function dataOutput(
  data: unknown,
  tool: string,
  isDeferred: (name: string) => boolean,
): ToolResultPart['output'] {
  const names = toolsInResult(tool, data).filter(isDeferred)
  if (names.length === 0) {
    return typeof data === 'string'
      ? { type: 'text', value: data }
      : { type: 'json', value: (data ?? null) as JSONValue }
  }
  // The form of Anthropic's provider.
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
 * Returns arguments as the SDK gives them to the functions of a tool: with the defaults of its schema. Calls and
 * messages have them as the model wrote them. Arguments that do not fit are returned unchanged.
 */
export async function parsedInput({ inputSchema }: AiSdkTool, input: unknown): Promise<unknown> {
  try {
    const parsed = await asSchema(inputSchema as FlexibleSchema<unknown>).validate?.(input)
    return parsed?.success === true ? parsed.value : input
  } catch {
    return input
  }
}

/**
 * Removes references to tools that a request does not carry, such as those of an older catalog: the
 * provider refuses a request with such a reference.
 */
export function dropDeadReferences(message: ModelMessage, sent: ReadonlySet<string>): ModelMessage {
  return withResults(message, (part) => {
    if (part.output.type !== 'content') return part
    const value = part.output.value.filter((one) => {
      const name = toolReference(one)
      return name === undefined || sent.has(name)
    })
    if (value.length === part.output.value.length) return part
    return { ...part, output: { ...part.output, value } }
  })
}

/**
 * Restores the references of results that were converted without a workspace, such as by the `agent.tools` of an
 * agent for many users: the provider waits for them.
 */
export function restoreReferences(
  messages: readonly ModelMessage[],
  isDeferred: (name: string) => boolean,
): ModelMessage[] {
  return messages.map((message) =>
    withResults(message, (part) => {
      if (part.output.type !== 'json') return part
      const output = dataOutput(part.output.value, part.toolName, isDeferred)
      return output.type === 'json' ? part : { ...part, output }
    }),
  )
}

/** Returns true for values with the same JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other)
  } catch {
    return false
  }
}
