import type { JsonObject } from '../wire.ts'
import { argumentsOf, type ModelAnswer, piecesOf, stopOf, type WireCall } from './answer.ts'
import type { AnswerContext, StreamEvent, WireForm } from './wire-form.ts'

const STOP_REASONS = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  filter: 'refusal',
  pause: 'pause_turn',
} as const

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Anthropic Messages, stable and beta. */
export const ANTHROPIC_FORM: WireForm = {
  response: (answer, context) => ({
    ...headOf(context, answer),
    content: blocksOf(answer, context).map(({ block }) => block),
    stop_reason: STOP_REASONS[stopOf(answer)],
    usage: usageOf(answer, context),
  }),

  events: (answer, context) => {
    const begun = { ...headOf(context, answer), content: [], usage: usageOf({}, context) }
    const { input, cached, written, output, details } = tokensOf(answer)
    const end = {
      type: 'message_delta',
      delta: {
        stop_reason: STOP_REASONS[stopOf(answer)],
        stop_sequence: null,
        container: null,
        stop_details: null,
      },
      usage: {
        input_tokens: input,
        output_tokens: output,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: cached,
        output_tokens_details: details,
        server_tool_use: null,
        ...(isBeta(context) && { fallback_credit: null, iterations: null }),
      },
      ...(isBeta(context) && { context_management: null }),
    }
    return [
      { type: 'message_start', message: begun },
      { type: 'ping' },
      ...blocksOf(answer, context).flatMap((block, index) => eventsOf(block, index)),
      end,
      { type: 'message_stop' },
    ].map(eventOf)
  },

  errorEvent: () =>
    eventOf({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),

  error: ({ status, message, type }, { number }) => ({
    type: 'error',
    error: {
      type: type ?? ERROR_TYPES[status] ?? 'api_error',
      message: message ?? `The scripted answer is an error with status ${status}.`,
    },
    request_id: `req_${number}`,
  }),
}

const eventOf = (data: JsonObject & { type: string }): StreamEvent => ({ event: data.type, data })

const isBeta = ({ wire }: AnswerContext) => wire === 'anthropic-beta'

function headOf(context: AnswerContext, { diagnosis }: ModelAnswer): JsonObject {
  return {
    id: `msg_${context.number}`,
    type: 'message',
    role: 'assistant',
    model: context.body.model,
    container: null,
    diagnostics: diagnosis ? { cache_miss_reason: diagnosis } : null,
    stop_details: null,
    stop_reason: null,
    stop_sequence: null,
    ...(isBeta(context) && { context_management: null }),
  }
}

/** A block of the answer, and the pieces in which a stream sends it. */
interface Block {
  readonly block: JsonObject
  readonly begun: JsonObject
  readonly deltas: readonly JsonObject[]
}

function blocksOf(answer: ModelAnswer, context: AnswerContext): readonly Block[] {
  const { thinking, text, items = [], calls = [] } = answer
  const signature = `signed_${context.number}`
  return [
    ...(thinking === undefined
      ? []
      : [
          {
            block: { type: 'thinking', thinking, signature },
            begun: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...piecesOf(thinking).map((piece) => ({
                type: 'thinking_delta',
                thinking: piece,
                ...(isBeta(context) && { estimated_tokens: null }),
              })),
              { type: 'signature_delta', signature },
            ],
          },
        ]),
    ...(text === undefined
      ? []
      : [
          {
            block: { type: 'text', text, citations: null },
            begun: { type: 'text', text: '', citations: null },
            deltas: piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece })),
          },
        ]),
    ...items.map((block) => ({ block, begun: block, deltas: [] })),
    ...calls.map((call, index) => callBlock(call, `${context.number}_${index + 1}`)),
  ]
}

function callBlock(call: WireCall, suffix: string): Block {
  const text = argumentsOf(call)
  const head = {
    type: 'tool_use',
    id: call.id ?? `toolu_${suffix}`,
    caller: { type: 'direct' },
    name: call.name,
  }
  return {
    block: { ...head, input: inputOf(text) },
    begun: { ...head, input: {} },
    deltas: piecesOf(text).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  }
}

/** The input of a call whose arguments were cut is an empty object where the answer is not streamed. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function eventsOf(
  { begun, deltas }: Block,
  index: number,
): readonly (JsonObject & { type: string })[] {
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function tokensOf({ usage = {} }: ModelAnswer) {
  const { input = 1, cached = 0, written = 0, output = 1, reasoning } = usage
  const details = reasoning === undefined ? null : { thinking_tokens: reasoning }
  return { input: input - cached - written, cached, written, output, details }
}

function usageOf(answer: ModelAnswer, context: AnswerContext): JsonObject {
  const { input, cached, written, output, details } = tokensOf(answer)
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation: null,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    inference_geo: null,
    output_tokens_details: details,
    server_tool_use: null,
    service_tier: 'standard',
    speed: 'standard',
    ...(isBeta(context) && { fallback_credit: null, iterations: null }),
  }
}
