import { ANTHROPIC_WIRES, isObject, repeated, textOf, WIRES } from '../wire.ts'
import { callsOf, messagesOf } from './calls-of.ts'
import type { RequestRule } from './request-rule.ts'

const TOOL_USE_GUIDE =
  'platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls, "Important formatting requirements"'

/** Rules for the calls of a history and their results. */
export const CALL_RULES: readonly RequestRule[] = [
  {
    name: 'call-id-once',
    wires: WIRES,
    source:
      'Anthropic answers 400 "`tool_use` ids must be unique"; at OpenAI answers to two calls with one id collide',
    faults: (request) =>
      repeated(idsOf(request, 'call')).map((id) => `Two calls have the id ${id}.`),
  },
  {
    name: 'result-for-each-call',
    wires: WIRES,
    source:
      'OpenAI answers 400 "No tool output found for function call …" and "An assistant message with \'tool_calls\' must ' +
      `be followed by tool messages responding to each 'tool_call_id'"; ${TOOL_USE_GUIDE}`,
    faults: (request) => {
      const results = new Set(idsOf(request, 'result'))
      return idsOf(request, 'call')
        .filter((id) => !results.has(id))
        .map((id) => `The call ${id} has no result.`)
    },
  },
  {
    name: 'call-for-each-result',
    wires: WIRES,
    source:
      'OpenAI answers 400 "No tool call found for function call output with call_id …"; Anthropic 400 "unexpected ' +
      '`tool_use_id` found in `tool_result` blocks"',
    faults: (request) =>
      callsOf(request)
        .filter(
          ({ kind, id, place }, _, all) =>
            kind === 'result' &&
            !all.some((other) => other.kind === 'call' && other.id === id && other.place < place),
        )
        .map(({ id }) => `The result for ${id} has no call before it.`),
  },
  {
    name: 'one-result-per-call',
    wires: WIRES,
    source:
      'Anthropic answers 400 "each tool_use must have a single result. Found multiple `tool_result` blocks"',
    faults: (request) =>
      repeated(idsOf(request, 'result')).map((id) => `The call ${id} has two results.`),
  },
  {
    name: 'result-of-the-same-kind',
    wires: ['openai-responses'],
    source: 'openai 7.57.0, responses.d.ts: each kind of call has an output item of its own kind',
    faults: (request) => {
      const all = callsOf(request)
      return all
        .filter(({ kind }) => kind === 'result')
        .flatMap(({ id, value }) => {
          const call = all.find((other) => other.kind === 'call' && other.id === id)?.value
          const wanted = textOf(value, 'type')
            .replace(/_output$/, '')
            .replace('tool_search', 'tool_search_call')
          return call === undefined || call.type === wanted
            ? []
            : [`${textOf(value, 'type')} answers ${id}, which is a ${textOf(call, 'type')}.`]
        })
    },
  },
  {
    name: 'results-right-after-calls',
    wires: ['openai-chat'],
    source:
      "OpenAI answers 400 \"messages with role 'tool' must be a response to a preceding message with 'tool_calls'\"",
    faults: (request) => {
      const messages = messagesOf(request)
      return messages.flatMap((message, index) => {
        const before = messages[index - 1]
        const isTool = message.role === 'tool'
        return isTool && before?.role !== 'tool' && !isObject(callMessage(before))
          ? [`The tool message ${index} does not come right after its call.`]
          : []
      })
    },
  },
  {
    name: 'results-right-after-calls',
    wires: ANTHROPIC_WIRES,
    source: TOOL_USE_GUIDE,
    faults: (request) => {
      const messages = messagesOf(request)
      return callsOf(request).flatMap(({ kind, id, place }) => {
        const next = messages[place + 1]
        const content = Array.isArray(next?.content) ? next.content : []
        const isThere = content.some((block) => isObject(block) && block.tool_use_id === id)
        return kind === 'call' && next !== undefined && (next.role !== 'user' || !isThere)
          ? [`The message after the call ${id} does not have its result.`]
          : []
      })
    },
  },
  {
    name: 'results-first-in-message',
    wires: ANTHROPIC_WIRES,
    source: TOOL_USE_GUIDE,
    faults: (request) =>
      messagesOf(request).flatMap(({ content }, index) => {
        const types = Array.isArray(content)
          ? content.map((block) => (isObject(block) ? block.type : undefined))
          : []
        const first = types.findIndex((type) => type !== 'tool_result')
        return first >= 0 &&
          types.includes('tool_result') &&
          types.lastIndexOf('tool_result') > first
          ? [`Message ${index} has a tool_result after other content.`]
          : []
      }),
  },
  {
    name: 'call-input-is-an-object',
    wires: ANTHROPIC_WIRES,
    source: 'Anthropic answers 400 "messages.….tool_use.input: Input should be a valid dictionary"',
    faults: (request) =>
      callsOf(request)
        .filter(({ kind, value }) => kind === 'call' && !isObject(value.input))
        .map(({ id }) => `The input of ${id} is no object.`),
  },
  {
    name: 'arguments-are-json',
    wires: ['openai-chat', 'openai-responses'],
    source:
      'OpenAI takes any text; the servers that copy its wire parse it: vllm-project/vllm, entrypoints/chat_utils.py, ' +
      '`json.loads(item["function"]["arguments"])`',
    faults: (request) =>
      callsOf(request).flatMap(({ kind, id, value }) => {
        const inner = isObject(value.function) ? value.function : value
        const isFree = kind === 'result' || typeof inner.arguments !== 'string'
        return isFree || isJson(textOf(inner, 'arguments'))
          ? []
          : [`The arguments of ${id} are no JSON.`]
      }),
  },
  {
    name: 'call-name',
    wires: WIRES,
    source:
      'OpenAI answers 400 "Invalid \'messages[9].tool_calls[0].function.name\': string does not match pattern" ' +
      '(mcp-use/mcp-use#90); Anthropic 400 "tool_use.name: String should match pattern"',
    faults: (request) =>
      callsOf(request)
        .filter(({ kind, value }) => kind === 'call' && value.type !== 'tool_search_call')
        .map(({ value }) => textOf(isObject(value.function) ? value.function : value, 'name'))
        .filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
        .map((name) => `A call has the name ${JSON.stringify(name)}.`),
  },
  {
    name: 'call-id-form',
    wires: ANTHROPIC_WIRES,
    source: 'Anthropic answers 400 "tool_use.id: String should match pattern \'^[a-zA-Z0-9_-]+$\'"',
    faults: (request) =>
      idsOf(request, 'call')
        .filter((id) => !/^[a-zA-Z0-9_-]+$/.test(id))
        .map(
          (id) =>
            `The id ${JSON.stringify(id)} has other characters than letters, digits, _ and -.`,
        ),
  },
  {
    name: 'call-id-form',
    wires: ['openai-chat', 'openai-responses'],
    source:
      'OpenAI answers 400 "string too long. Expected a string with maximum length 40" (tool_calls[].id) or 64 (call_id)',
    faults: (request) => {
      const limit = request.wire === 'openai-chat' ? 40 : 64
      return idsOf(request, 'call')
        .filter((id) => id === '' || id.length > limit)
        .map((id) => `The id "${id}" has not 1 to ${limit} characters.`)
    },
  },
]

function idsOf(
  request: Parameters<typeof callsOf>[0],
  wanted: 'call' | 'result',
): readonly string[] {
  return callsOf(request)
    .filter(({ kind }) => kind === wanted)
    .map(({ id }) => id)
}

function callMessage(message: unknown): unknown {
  return isObject(message) && Array.isArray(message.tool_calls) ? message : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
