import type { StreamEvent } from '../server/wire-form.ts'
import {
  ANTHROPIC_WIRES,
  isObject,
  type JsonObject,
  objectsOf,
  repeated,
  textOf,
  type Wire,
  WIRES,
} from '../wire.ts'

/** A response before it is sent: a complete body, or the events of a stream. */
export interface ResponseToCheck {
  readonly wire: Wire
  readonly whole?: JsonObject
  readonly events?: readonly JsonObject[]
  /** The stream had its end marker, for wires that have one. */
  readonly isDone?: boolean
  /** Ids of calls that the request has in its history. */
  readonly earlierCalls: readonly string[]
}

export interface ResponseRule {
  readonly name: string
  readonly wires: readonly Wire[]
  readonly source: string
  readonly faults: (response: ResponseToCheck) => readonly string[]
}

const ANTHROPIC_STREAM = 'platform.claude.com/docs/en/build-with-claude/streaming, "Event types"'

/** Rules that keep the server honest: no provider would send what breaks one. */
export const RESPONSE_RULES: readonly ResponseRule[] = [
  {
    name: 'answer-call-id-once',
    wires: WIRES,
    source: 'a provider makes a new id for each call; results go by them',
    faults: (response) =>
      repeated([...response.earlierCalls, ...finalCalls(response).map(({ id }) => id)]).map(
        (id) => `The answer has the id ${id} a second time.`,
      ),
  },
  {
    name: 'answer-arguments-are-json',
    wires: WIRES,
    source:
      "arguments that are no JSON are a model's fault; only an answer that was cut has them by design",
    faults: (response) =>
      isCut(response)
        ? []
        : finalCalls(response)
            .filter(({ text }) => !isJsonObject(text))
            .map(({ id }) => `The arguments of ${id} are no JSON object.`),
  },
  {
    name: 'stop-fits-the-answer',
    wires: WIRES,
    source:
      '@anthropic-ai/sdk 1.12.0, messages.d.ts, `stop_reason`; openai 7.57.0, completions.d.ts, `finish_reason`, and ' +
      'responses.d.ts, `status` and `incomplete_details`',
    faults: (response) => {
      const stop = stopOf(response)
      const calls = finalCalls(response).length
      return [
        ...(/^(tool_use|tool_calls)$/.test(stop) && calls === 0
          ? [`It stops by ${stop} without a call.`]
          : []),
        ...(/^(end_turn|stop)$/.test(stop) && calls > 0
          ? [`It stops by ${stop} with a call.`]
          : []),
        ...(stop === '' ? ['It does not say why it stops.'] : []),
      ]
    },
  },
  {
    name: 'usage-adds-up',
    wires: WIRES,
    source: 'openai 7.57.0, `total_tokens`; cached tokens are a part of the input',
    faults: (response) => {
      const { usage } = finalOf(response)
      if (!isObject(usage)) return []
      const input = Number(usage.input_tokens ?? usage.prompt_tokens)
      const output = Number(usage.output_tokens ?? usage.completion_tokens)
      const details = usage.input_tokens_details ?? usage.prompt_tokens_details
      const cached = isObject(details) ? Number(details.cached_tokens) : 0
      const total = Number(usage.total_tokens ?? input + output)
      return total === input + output && cached <= input && input >= 0
        ? []
        : ['The usage does not add up.']
    },
  },
  {
    name: 'event-order',
    wires: ANTHROPIC_WIRES,
    source: ANTHROPIC_STREAM,
    faults: ({ events = [] }) => {
      const text = events
        .map(({ type, index }) =>
          type === 'ping'
            ? ''
            : `${String(type)}${index === undefined ? '' : `#${Number(index)}`} `,
        )
        .join('')
      const blocks = [...text.matchAll(/content_block_start#(\d+) /g)].map(([, number]) =>
        Number(number),
      )
      const isWhole =
        /^message_start ((content_block_start#(\d+) (content_block_delta#\3 )*content_block_stop#\3 )*)message_delta message_stop $/.test(
          text,
        )
      return events.length === 0 || (isWhole && blocks.every((number, index) => number === index))
        ? []
        : ['The events are not start, blocks one after the other, delta, stop.']
    },
  },
  {
    name: 'event-order',
    wires: ['openai-responses'],
    source: 'openai 7.57.0, lib/responses/ResponseStream.js; `sequence_number` in responses.d.ts',
    faults: ({ events = [] }) => {
      if (events.length === 0) return []
      const added = new Set<unknown>()
      const done = new Set<unknown>()
      const faults = events.flatMap(({ type, sequence_number, output_index: item }, index) => {
        if (sequence_number !== index)
          return [`Event ${index} has the number ${String(sequence_number)}.`]
        if (item === undefined) return []
        if (type === 'response.output_item.added') {
          added.add(item)
          return item === added.size - 1 ? [] : [`Item ${String(item)} is out of order.`]
        }
        const isOpen = added.has(item) && !done.has(item)
        if (type === 'response.output_item.done') done.add(item)
        return isOpen ? [] : [`Event ${index} belongs to an item that is not open.`]
      })
      const isFramed =
        events[0]?.type === 'response.created' &&
        /^response\.(completed|incomplete|failed)$/.test(textOf(events.at(-1), 'type')) &&
        added.size === done.size
      return [
        ...faults,
        ...(isFramed ? [] : ['The stream has no beginning, no end, or an open item.']),
      ]
    },
  },
  {
    name: 'event-order',
    wires: ['openai-chat'],
    source:
      'openai 7.57.0, lib/ChatCompletionStream.js: a role first, one finish_reason; `[DONE]` ends the stream',
    faults: ({ events = [], isDone }) => {
      if (events.length === 0) return []
      const choices = events.flatMap(({ choices }) => objectsOf(choices))
      const delta = choices[0]?.delta
      const finishes = choices.filter(({ finish_reason: reason }) => typeof reason === 'string')
      return [
        ...(isObject(delta) && delta.role === 'assistant' ? [] : ['The first chunk has no role.']),
        ...(finishes.length === 1 && finishes[0] === choices.at(-1)
          ? []
          : ['It does not finish once, at the end.']),
        ...(isDone === true ? [] : ['It does not end with [DONE].']),
        ...(new Set(events.map(({ id }) => id)).size === 1
          ? []
          : ['The chunks have different ids.']),
      ]
    },
  },
  {
    name: 'calls-are-numbered',
    wires: ['openai-chat'],
    source:
      'openai 7.57.0, completions.d.ts, ChatCompletionChunk.Choice.Delta.ToolCall: `index`; the first part has id and name',
    faults: ({ events = [] }) => {
      const seen = new Set<number>()
      return callDeltas(events).flatMap(({ index, id, function: inner }) => {
        const isFirst = !seen.has(Number(index))
        seen.add(Number(index))
        const isComplete =
          typeof id === 'string' && isObject(inner) && typeof inner.name === 'string'
        if (isFirst && (index !== seen.size - 1 || !isComplete))
          return ['A call does not begin with its number, id and name.']
        return !isFirst && id !== undefined ? ['A call has an id twice.'] : []
      })
    },
  },
  {
    name: 'deltas-add-up',
    wires: ['openai-responses'],
    source: 'openai 7.57.0, responses.d.ts: a `done` event has what the `delta` events had',
    faults: ({ events = [] }) => {
      const sums = new Map<string, string>()
      const output = objectsOf(
        finalOf({ wire: 'openai-responses', events, earlierCalls: [] }).output,
      )
      return events.flatMap((event) => {
        const [, name = '', kind = ''] =
          /^(response\..+)\.(delta|done)$/.exec(textOf(event, 'type')) ?? []
        if (name === 'response.output_item' && kind === 'done') {
          const same =
            JSON.stringify(output[Number(event.output_index)]) === JSON.stringify(event.item)
          return same ? [] : [`Item ${String(event.output_index)} differs from the final output.`]
        }
        const key = `${name} ${String(event.item_id)} ${String(event.content_index ?? event.summary_index ?? '')}`
        if (kind === 'delta') sums.set(key, (sums.get(key) ?? '') + textOf(event, 'delta'))
        const whole = event.text ?? event.arguments ?? event.input ?? event.refusal
        return kind === 'done' && typeof whole === 'string' && (sums.get(key) ?? '') !== whole
          ? [`The parts of ${key} are not the whole.`]
          : []
      })
    },
  },
]

interface FinalCall {
  readonly id: string
  readonly text: string
}

/** The calls of an answer, put together from its events where it is streamed. */
function finalCalls(response: ResponseToCheck): readonly FinalCall[] {
  const { wire, events = [] } = response
  const final = finalOf(response)
  if (wire === 'openai-responses') {
    return objectsOf(final.output)
      .filter(({ type }) => type === 'function_call')
      .map((item) => ({ id: textOf(item, 'call_id'), text: textOf(item, 'arguments') }))
  }
  if (wire === 'openai-chat') {
    const message = objectsOf(final.choices)[0]?.message
    const calls = isObject(message) ? objectsOf(message.tool_calls) : joinedCalls(events)
    return calls.map((call) => ({
      id: textOf(call, 'id'),
      text: isObject(call.function) ? textOf(call.function, 'arguments') : '',
    }))
  }
  const begun = events.flatMap(({ content_block: block, index }) =>
    isObject(block) ? [{ block, index }] : [],
  )
  return response.whole === undefined
    ? begun
        .filter(({ block }) => block.type === 'tool_use')
        .map(({ block, index }) => ({
          id: textOf(block, 'id'),
          text: jsonDeltas(events, index) || '{}',
        }))
    : objectsOf(final.content)
        .filter(({ type }) => type === 'tool_use')
        .map((block) => ({ id: textOf(block, 'id'), text: JSON.stringify(block.input) }))
}

function jsonDeltas(events: readonly JsonObject[], index: unknown): string {
  return events
    .filter((event) => event.index === index && isObject(event.delta))
    .map(({ delta }) => (isObject(delta) ? textOf(delta, 'partial_json') : ''))
    .join('')
}

function callDeltas(events: readonly JsonObject[]): readonly JsonObject[] {
  return events
    .flatMap(({ choices }) => objectsOf(choices))
    .flatMap(({ delta }) => (isObject(delta) ? objectsOf(delta.tool_calls) : []))
}

function joinedCalls(events: readonly JsonObject[]): readonly JsonObject[] {
  const deltas = callDeltas(events)
  return [...new Set(deltas.map(({ index }) => index))].map((index) => {
    const own = deltas.filter((delta) => delta.index === index)
    const text = own.map(({ function: inner }) =>
      isObject(inner) ? textOf(inner, 'arguments') : '',
    )
    return { id: own[0]?.id, function: { arguments: text.join('') } }
  })
}

/** The body at the end of an answer, as far as its events have it. */
function finalOf({ wire, whole, events = [] }: ResponseToCheck): JsonObject {
  if (whole !== undefined) return whole
  const last = events.at(-1)
  if (wire === 'openai-responses') return isObject(last?.response) ? last.response : {}
  if (wire === 'openai-chat') return { usage: last?.usage }
  const end = events.find(({ type }) => type === 'message_delta')
  return { ...(isObject(end?.delta) && end.delta), usage: end?.usage }
}

function stopOf(response: ResponseToCheck): string {
  const final = finalOf(response)
  if (response.wire === 'openai-responses') {
    const details = final.incomplete_details
    return final.status === 'incomplete'
      ? textOf(isObject(details) ? details : {}, 'reason')
      : textOf(final, 'status')
  }
  if (response.wire === 'openai-chat') {
    const choices = [final, ...(response.events ?? [])].flatMap(({ choices }) => objectsOf(choices))
    return choices.map((choice) => textOf(choice, 'finish_reason')).join('')
  }
  return textOf(final, 'stop_reason')
}

const isCut = (response: ResponseToCheck) =>
  /^(max_output_tokens|length|max_tokens)$/.test(stopOf(response))

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

/** The data of events, without end markers. */
export function dataOf(events: readonly StreamEvent[]): readonly JsonObject[] {
  return events.flatMap(({ data }) => (data === '[DONE]' ? [] : [data]))
}
