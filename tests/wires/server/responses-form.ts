import type { JsonObject } from '../wire.ts'
import { argumentsOf, type ModelAnswer, piecesOf, stopOf, type WireCall } from './answer.ts'
import { openAiError } from './openai-error.ts'
import type { AnswerContext, StreamEvent, WireForm } from './wire-form.ts'

/** OpenAI Responses. */
export const RESPONSES_FORM: WireForm = {
  response: (answer, context) => endOf(answer, context),

  events: (answer, context) => {
    const started = { ...headOf(context), status: 'in_progress', output: [] }
    const end = endOf(answer, context)
    const events = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...outputOf(answer, context).flatMap((item, index) => eventsOf(item, index)),
      { type: `response.${String(end.status)}`, response: end },
    ]
    return events.map((event, sequence) => eventOf(event, sequence))
  },

  errorEvent: (sent) =>
    eventOf(
      { type: 'error', code: 'server_error', message: 'The stream broke.', param: null },
      sent,
    ),
  error: (answer) => openAiError(answer),
}

const eventOf = (event: JsonObject & { type: string }, sequence: number): StreamEvent => ({
  event: event.type,
  data: { ...event, sequence_number: sequence },
})

function headOf({ body, number }: AnswerContext): JsonObject {
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 0,
    access_programs: null,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    metadata: body.metadata ?? {},
    model: body.model,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    temperature: 1,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
  }
}

function endOf(answer: ModelAnswer, context: AnswerContext): JsonObject {
  const stop = stopOf(answer)
  const reason =
    stop === 'length' ? 'max_output_tokens' : stop === 'filter' ? 'content_filter' : null
  return {
    ...headOf(context),
    status: reason === null ? 'completed' : 'incomplete',
    incomplete_details: reason === null ? null : { reason },
    output: outputOf(answer, context),
    usage: usageOf(answer),
    ...(answer.diagnosis && { prompt_cache_diagnostics: answer.diagnosis }),
  }
}

function outputOf(answer: ModelAnswer, context: AnswerContext): readonly JsonObject[] {
  const { thinking, text, items = [], calls = [] } = answer
  const { number, body } = context
  const stop = stopOf(answer)
  const cut = stop === 'length' ? 'incomplete' : 'completed'
  const sealed = Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content')
  return [
    ...(thinking === undefined
      ? []
      : [
          {
            id: `rs_${number}`,
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: thinking }],
            ...(sealed && { encrypted_content: `sealed_${number}` }),
          },
        ]),
    ...(text === undefined
      ? []
      : [
          {
            id: `msg_${number}`,
            type: 'message',
            role: 'assistant',
            status: calls.length === 0 ? cut : 'completed',
            content: [
              stop === 'refusal'
                ? { type: 'refusal', refusal: text }
                : { type: 'output_text', text, annotations: [], logprobs: [] },
            ],
          },
        ]),
    ...items,
    ...calls.map((call, index) =>
      callItem(call, `${number}_${index + 1}`, index === calls.length - 1 ? cut : 'completed'),
    ),
  ]
}

function callItem(call: WireCall, suffix: string, status: string): JsonObject {
  const call_id = call.id ?? `call_${suffix}`
  if (call.kind === 'tool_search') {
    const head = { id: `tsc_${suffix}`, type: 'tool_search_call', call_id, execution: 'client' }
    return { ...head, arguments: call.input ?? {}, status }
  }
  const named = {
    name: call.name,
    ...(call.namespace !== undefined && { namespace: call.namespace }),
  }
  if (call.kind === 'custom') {
    const input = call.arguments ?? (typeof call.input === 'string' ? call.input : '')
    return { id: `ctc_${suffix}`, type: 'custom_tool_call', call_id, ...named, input }
  }
  const head = { id: `fc_${suffix}`, type: 'function_call', call_id, ...named }
  return { ...head, arguments: argumentsOf(call), status }
}

type Event = JsonObject & { type: string }

/** The events of one item of the output. */
function eventsOf(item: JsonObject, index: number): readonly Event[] {
  const place = { item_id: item.id, output_index: index }
  const frame = (begun: JsonObject, inner: readonly Event[]): readonly Event[] => [
    { type: 'response.output_item.added', output_index: index, item: begun },
    ...inner,
    { type: 'response.output_item.done', output_index: index, item },
  ]
  const working = { ...item, status: 'in_progress' }
  if (item.type === 'message') {
    return frame({ ...working, content: [] }, contentEvents(item, place))
  }
  if (item.type === 'reasoning') return frame({ ...item, summary: [] }, summaryEvents(item, place))
  if (item.type === 'function_call') {
    const text = String(item.arguments)
    const name = 'response.function_call_arguments'
    return frame({ ...working, arguments: '' }, [
      ...piecesOf(text).map((delta) => ({ type: `${name}.delta`, ...place, delta })),
      { type: `${name}.done`, ...place, arguments: text },
    ])
  }
  if (item.type === 'custom_tool_call') {
    const input = String(item.input)
    const name = 'response.custom_tool_call_input'
    return frame({ ...item, input: '' }, [
      ...piecesOf(input).map((delta) => ({ type: `${name}.delta`, ...place, delta })),
      { type: `${name}.done`, ...place, input },
    ])
  }
  return frame(item, [])
}

function contentEvents(item: JsonObject, place: JsonObject): readonly Event[] {
  const parts = Array.isArray(item.content) ? (item.content as JsonObject[]) : []
  return parts.flatMap((part, content_index) => {
    const at = { ...place, content_index }
    const refused = part.type === 'refusal'
    const text = String(refused ? part.refusal : part.text)
    const name = refused ? 'response.refusal' : 'response.output_text'
    const logprobs = refused ? {} : { logprobs: [] }
    const empty = refused ? { ...part, refusal: '' } : { ...part, text: '' }
    return [
      { type: 'response.content_part.added', ...at, part: empty },
      ...piecesOf(text).map((delta) => ({ type: `${name}.delta`, ...at, delta, ...logprobs })),
      { type: `${name}.done`, ...at, ...(refused ? { refusal: text } : { text }), ...logprobs },
      { type: 'response.content_part.done', ...at, part },
    ]
  })
}

function summaryEvents(item: JsonObject, place: JsonObject): readonly Event[] {
  const parts = Array.isArray(item.summary) ? (item.summary as JsonObject[]) : []
  return parts.flatMap((part, summary_index) => {
    const at = { ...place, summary_index }
    const text = String(part.text)
    const name = 'response.reasoning_summary_text'
    return [
      { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
      ...piecesOf(text).map((delta) => ({ type: `${name}.delta`, ...at, delta })),
      { type: `${name}.done`, ...at, text },
      { type: 'response.reasoning_summary_part.done', ...at, part },
    ]
  })
}

function usageOf({ usage = {} }: ModelAnswer): JsonObject {
  const { input = 1, cached = 0, written = 0, output = 1, reasoning = 0 } = usage
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
