import type { JsonObject } from '../wire.ts'
import { argumentsOf, type ModelAnswer, piecesOf, stopOf } from './answer.ts'
import { openAiError } from './openai-error.ts'
import type { AnswerContext, StreamEvent, WireForm } from './wire-form.ts'

const FINISH = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  refusal: 'stop',
  filter: 'content_filter',
  pause: 'stop',
} as const

/** OpenAI Chat Completions. */
export const CHAT_FORM: WireForm = {
  response: (answer, context) => ({
    ...headOf(context, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: messageOf(answer, context),
        finish_reason: FINISH[stopOf(answer)],
        logprobs: null,
      },
    ],
    usage: usageOf(answer),
  }),

  events: (answer, context) => {
    const head = headOf(context, 'chat.completion.chunk')
    const chunk = (delta: JsonObject, finish: string | null = null): StreamEvent => ({
      data: { ...head, choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }] },
    })
    const text = piecesOf(answer.text ?? '')
    const calls = (answer.calls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [
          {
            index,
            id: idOf(call.id, index, context),
            type: 'function',
            function: { name: call.name, arguments: '' },
          },
        ],
      }),
      ...piecesOf(argumentsOf(call)).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ])
    return [
      chunk({ role: 'assistant', content: calls.length > 0 && text.length === 0 ? null : '' }),
      ...text.map((piece) =>
        chunk(stopOf(answer) === 'refusal' ? { refusal: piece } : { content: piece }),
      ),
      ...calls,
      chunk({}, FINISH[stopOf(answer)]),
      ...(wantsUsage(context.body)
        ? [{ data: { ...head, choices: [], usage: usageOf(answer) } }]
        : []),
      { data: '[DONE]' },
    ]
  },

  errorEvent: () => ({ data: openAiError({ status: 500 }) }),
  error: (answer) => openAiError(answer),
}

function headOf({ body, number }: AnswerContext, object: string): JsonObject {
  return { id: `chatcmpl-${number}`, object, created: 0, model: String(body.model) }
}

function messageOf(answer: ModelAnswer, context: AnswerContext): JsonObject {
  const { text, calls = [] } = answer
  const refused = stopOf(answer) === 'refusal'
  return {
    role: 'assistant',
    content: refused ? null : (text ?? null),
    refusal: refused ? (text ?? '') : null,
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => ({
        id: idOf(call.id, index, context),
        type: 'function',
        function: { name: call.name, arguments: argumentsOf(call) },
      })),
    }),
  }
}

function idOf(id: string | undefined, index: number, { number }: AnswerContext): string {
  return id ?? `call_${number}_${index + 1}`
}

function wantsUsage({ stream_options: options }: JsonObject): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    Reflect.get(options, 'include_usage') === true
  )
}

function usageOf({ usage = {} }: ModelAnswer): JsonObject {
  const { input = 1, cached = 0, written, output = 1, reasoning } = usage
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cached,
      ...(written !== undefined && { cache_write_tokens: written }),
    },
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}
