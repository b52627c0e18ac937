import type { RequestToCheck } from '../check-request.ts'
import { isObject, type JsonObject, objectsOf, textOf } from '../wire.ts'

/** A tool that a request declares, wherever it does. */
export interface DeclaredTool {
  readonly name: string
  /** Such as `tools/3` or `input/7/tools/0`. */
  readonly at: string
  /** The namespace of OpenAI, or an empty string. */
  readonly namespace: string
  readonly parameters: unknown
  readonly strict: boolean
  readonly deferred: boolean
  readonly tool: JsonObject
}

/** The tools of `tools`. */
export function toolsOf({ wire, body, earlier }: RequestToCheck): readonly DeclaredTool[] {
  const own = body.tools === undefined ? earlier.tools : objectsOf(body.tools)
  const tools = own.flatMap((tool, index) => declared(tool, `tools/${index}`))
  return wire === 'openai-chat' ? tools.map((tool) => chatTool(tool)) : tools
}

/** The tools that enter in the conversation by value, in its order. */
export function addedTools(request: RequestToCheck): readonly DeclaredTool[] {
  if (request.wire === 'openai-responses') {
    return itemsOf(request).flatMap((item, index) =>
      item.type === 'additional_tools' || item.type === 'tool_search_output'
        ? objectsOf(item.tools).flatMap((tool, place) =>
            declared(tool, `input/${index}/tools/${place}`),
          )
        : [],
    )
  }
  return toolChanges(request).flatMap(({ at, tool }) =>
    isObject(tool.definition) ? declared(tool.definition, at) : [],
  )
}

/** The blocks of Anthropic's system messages that change tools, in order. */
export function toolChanges({ body, earlier }: RequestToCheck): readonly {
  readonly at: string
  readonly type: string
  readonly tool: JsonObject
}[] {
  return [...earlier.items, ...objectsOf(body.messages)].flatMap((message, index) =>
    objectsOf(message.content).flatMap((block, place) =>
      (block.type === 'tool_addition' || block.type === 'tool_removal') && isObject(block.tool)
        ? [{ at: `messages/${index}/content/${place}`, type: String(block.type), tool: block.tool }]
        : [],
    ),
  )
}

/** The items of OpenAI Responses, with those that the provider keeps and those that references stand for. */
export function itemsOf({ body, earlier }: RequestToCheck): readonly JsonObject[] {
  const { input } = body
  const sent = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)
  const whole = sent.map((item) =>
    item.type === 'item_reference' ? (earlier.stored?.get(textOf(item, 'id')) ?? item) : item,
  )
  return [...earlier.items, ...whole]
}

function declared(tool: JsonObject, at: string, namespace = ''): readonly DeclaredTool[] {
  if (tool.type === 'namespace') {
    return objectsOf(tool.tools).flatMap((inner, index) =>
      declared(inner, `${at}/tools/${index}`, textOf(tool, 'name')),
    )
  }
  const parameters = tool.parameters ?? tool.input_schema
  const strict = tool.strict === true
  const deferred = tool.defer_loading === true
  return [{ name: textOf(tool, 'name'), at, namespace, parameters, strict, deferred, tool }]
}

function chatTool({ at, tool, ...rest }: DeclaredTool): DeclaredTool {
  const inner = isObject(tool.function) ? tool.function : isObject(tool.custom) ? tool.custom : {}
  const { parameters, strict } = inner
  return { ...rest, at, tool, name: textOf(inner, 'name'), parameters, strict: strict === true }
}
