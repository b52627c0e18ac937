import { isObject } from '../../../entries/kit.ts'
import {
  jsonIn,
  list,
  memberIn,
  number,
  object,
  text,
  textInContent,
} from '../content/text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/**
 * Returns the requests in a file of telemetry, in the form of a HAR file: spans of the GenAI conventions in OTLP JSON, or
 * the file of the DevTools of the AI SDK. Null for another file.
 *
 * @param values the values of the file: one, or one a line
 */
export function tracedRequests(values: readonly unknown[]): unknown {
  const [value] = values
  const resources = values.flatMap((one) => list(memberIn(one, 'resourceSpans')))
  const entries =
    resources.length > 0
      ? spanEntries(resources)
      : list(memberIn(value, 'steps')).map(object).flatMap(stepEntry)
  if (entries.length === 0) return null
  return { log: { entries: entries.toSorted(compareEntries) } }
}

/** Compares by the start, which is finer than a millisecond. Of two at the same moment, the later one has more messages. */
function compareEntries(a: TracedEntry, b: TracedEntry): number {
  return a.startedMs - b.startedMs || sentText(a).length - sentText(b).length
}

function sentText({ request }: TracedEntry): string {
  return request.postData.text
}

/** The parts of an entry of a HAR file that are read. */
interface Traced {
  readonly startedMs: number
  readonly ms: number
  /** The name of the program, and its version behind a slash. */
  readonly agent: string
  /** The provider, such as `anthropic.messages`. */
  readonly provider: string
  readonly body: Line
  readonly usage: Line | null
}

type TracedEntry = ReturnType<typeof harEntry>

function harEntry({ startedMs, ms, agent, provider, body, usage }: Traced) {
  const path = provider.startsWith('anthropic')
    ? '/messages'
    : provider.includes('responses')
      ? '/responses'
      : '/chat/completions'
  return {
    startedMs,
    startedDateTime: new Date(startedMs).toISOString(),
    time: ms,
    request: {
      url: path,
      headers: [{ name: 'user-agent', value: agent }],
      postData: { text: JSON.stringify(body) },
    },
    response: { content: { text: JSON.stringify(usage === null ? {} : { usage }) } },
  }
}

/** Reads a step of the DevTools: the body that was sent, or else the call of the model. */
function stepEntry(step: Line): readonly TracedEntry[] {
  const input = stored(step['input'])
  const startedMs = Date.parse(text(step['started_at']))
  if (!('run_id' in step) || !isObject(input) || Number.isNaN(startedMs)) return []
  const sent = object(stored(step['raw_request']))
  const isKnown = 'messages' in sent || 'input' in sent
  const called = {
    model: step['model_id'],
    messages: chatMessages(list(input['prompt'])),
    tools: list(input['tools']).map(chatTool),
  }
  return [
    harEntry({
      startedMs,
      ms: number(step['duration_ms']),
      agent: 'ai-sdk',
      provider: text(step['provider']),
      body: isKnown ? sent : called,
      usage: stepUsage(stored(step['usage'])),
    }),
  ]
}

/** Reads the tokens of a step: each count, or in earlier versions their sum alone. */
function stepUsage(usage: unknown): Line | null {
  if (!isObject(usage)) return null
  const { inputTokens: input, outputTokens: output, cachedInputTokens } = usage
  const cached = memberIn(input, 'cacheRead') ?? cachedInputTokens
  return {
    input_tokens: number(memberIn(input, 'total') ?? input),
    input_tokens_details: { cached_tokens: number(cached) },
    output_tokens: number(memberIn(output, 'total') ?? output),
    output_tokens_details: { reasoning_tokens: number(memberIn(output, 'reasoning')) },
  }
}

/** The operations that are a request to a model; a span of an agent has the same messages. */
const REQUESTS: ReadonlySet<unknown> = new Set(['chat', 'generate_content', 'text_completion'])

function spanEntries(resources: readonly unknown[]): readonly TracedEntry[] {
  const all = resources.flatMap((resource) => {
    const spans = list(memberIn(resource, 'scopeSpans')).flatMap((scope) =>
      list(memberIn(scope, 'spans')),
    )
    const agent = serviceName(attributesIn(memberIn(resource, 'resource')))
    return spans.map((span) => ({ agent, span: object(span), facts: attributesIn(span) }))
  })
  const failed = new Set(all.flatMap(failedCall))
  return all.flatMap(({ agent, span, facts }) => {
    const messages = stored(facts['gen_ai.input.messages'])
    if (!REQUESTS.has(facts['gen_ai.operation.name']) || !Array.isArray(messages)) return []
    const instructions = list(stored(facts['gen_ai.system_instructions']))
    const system = instructions.length > 0 ? [{ role: 'system', parts: instructions }] : []
    const startedMs = nanoseconds(span['startTimeUnixNano'])
    return [
      harEntry({
        startedMs,
        ms: nanoseconds(span['endTimeUnixNano']) - startedMs,
        agent,
        provider: text(facts['gen_ai.provider.name']) || text(facts['gen_ai.system']),
        body: {
          model: facts['gen_ai.response.model'] ?? facts['gen_ai.request.model'],
          messages: chatMessages([...system, ...messages], failed),
          tools: list(stored(facts['gen_ai.tool.definitions'])).map(chatTool),
        },
        usage: spanUsage(facts),
      }),
    ]
  })
}

function serviceName(about: Line): string {
  const version = text(about['service.version'])
  const name = text(about['service.name']) || 'otel'
  return `${name.replace(/[^\w.-]+/g, '-')}${version && `/${version}`}`
}

/** Returns the call of a tool that failed, of which messages have the text alone. */
function failedCall({ span, facts }: { readonly span: Line; readonly facts: Line }): unknown {
  const isFailed = memberIn(span['status'], 'code') === STATUS_ERROR || 'error.type' in facts
  return isFailed ? (facts['gen_ai.tool.call.id'] ?? []) : []
}

const STATUS_ERROR = 2

function spanUsage(facts: Line): Line | null {
  const input = facts['gen_ai.usage.input_tokens']
  if (input === undefined) return null
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: facts['gen_ai.usage.cache_read.input_tokens'] },
    output_tokens: facts['gen_ai.usage.output_tokens'],
    output_tokens_details: { reasoning_tokens: facts['gen_ai.usage.reasoning.output_tokens'] },
  }
}

/** Reads the attributes of a span or a resource, whose values say of which type they are. */
function attributesIn(holder: unknown): Line {
  return Object.fromEntries(
    list(memberIn(holder, 'attributes')).map((one) => [
      text(memberIn(one, 'key')),
      anyValue(memberIn(one, 'value')),
    ]),
  )
}

function anyValue(value: unknown): unknown {
  const [kind = '', own] = Object.entries(object(value))[0] ?? []
  switch (kind) {
    case 'arrayValue':
      return list(memberIn(own, 'values')).map(anyValue)
    case 'kvlistValue':
      return attributesIn({ attributes: memberIn(own, 'values') })
    case 'intValue':
      return Number(own)
    default:
      return own
  }
}

/** The last time that a date can have. */
const LATEST_MS = 8.64e15

/** Milliseconds since 1970 of a time in nanoseconds, which is a text or a number. */
function nanoseconds(time: unknown): number {
  const value = Number(time) / 1e6
  return Math.abs(value) <= LATEST_MS ? value : 0
}

/**
 * Returns messages of the AI SDK or of the conventions as those of Chat Completions.
 *
 * @param failed ids of calls that failed
 */
function chatMessages(
  messages: readonly unknown[],
  failed: ReadonlySet<unknown> = new Set(),
): readonly Line[] {
  return messages.map(object).flatMap((message): readonly Line[] => {
    const { role } = message
    const content = message['parts'] ?? message['content']
    const parts = list(content).map(object)
    const said = typeof content === 'string' ? content : textInContent(parts.flatMap(textPart))
    const results = parts
      .filter(({ type }) => RESULTS.has(type))
      .map((part) => resultMessage(part, failed))
    const calls = parts.filter(({ type }) => CALLS.has(type)).map(chatCall)
    const own = { role, content: said, ...(calls.length > 0 && { tool_calls: calls }) }
    return said === '' && calls.length === 0 ? results : [own, ...results]
  })
}

const CALLS: ReadonlySet<unknown> = new Set(['tool-call', 'tool_call'])

const RESULTS: ReadonlySet<unknown> = new Set(['tool-result', 'tool_call_response'])

function textPart({ type, text: said, content }: Line): readonly Line[] {
  return type === 'text' ? [{ text: said ?? content }] : []
}

function chatCall(part: Line): Line {
  const input = part['input'] ?? part['arguments'] ?? {}
  const called = { name: part['toolName'] ?? part['name'], arguments: asText(input) }
  return { id: part['toolCallId'] ?? part['id'], type: 'function', function: called }
}

function resultMessage(part: Line, failed: ReadonlySet<unknown>): Line {
  const output = part['output'] ?? part['response'] ?? part['result']
  const value = isObject(output) && 'value' in output ? output['value'] : output
  const id = part['toolCallId'] ?? part['id']
  const isError = failed.has(id) || text(memberIn(output, 'type')).startsWith('error')
  return { role: 'tool', tool_call_id: id, content: asText(value), is_error: isError }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function chatTool(tool: unknown): Line {
  const { name, description, inputSchema, parameters } = object(stored(tool) ?? tool)
  return { name, description, parameters: inputSchema ?? parameters }
}

/** Returns a value that is stored as JSON text, or any other value unchanged. */
function stored(value: unknown): unknown {
  return typeof value === 'string' ? jsonIn(value) : (value ?? undefined)
}
