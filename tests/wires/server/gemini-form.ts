import type { JsonObject } from '../wire.ts'
import { type ErrorAnswer, type ModelAnswer, piecesOf, stopOf } from './answer.ts'
import type { AnswerContext, StreamEvent, WireForm } from './wire-form.ts'

/** Calls end by `STOP`, too. */
const FINISH = {
  end: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'PROHIBITED_CONTENT',
  filter: 'SAFETY',
  pause: 'STOP',
} as const

/** The Gemini API. */
export const GEMINI_FORM: WireForm = {
  response: (answer, context) => ({
    candidates: [
      { content: { role: 'model', parts: partsOf(answer, context) }, ...endOf(answer), index: 0 },
    ],
    ...usageOf(answer),
    ...headOf(context),
  }),

  events: (answer, context) => {
    const { thinking = '', text = '', ...calls } = answer
    const parts = [
      ...piecesOf(thinking).map((piece) => ({ text: piece, thought: true })),
      ...piecesOf(text).map((piece) => ({ text: piece })),
      ...partsOf(calls, context),
    ]
    return [...parts, null].map((part): StreamEvent => {
      const content = { role: 'model', parts: part === null ? [] : [part] }
      const end = part === null && endOf(answer)
      return {
        data: {
          candidates: [{ content, ...end, index: 0 }],
          ...(end && usageOf(answer)),
          ...headOf(context),
        },
      }
    })
  },

  errorEvent: () => ({ data: errorOf({ status: 500 }) }),
  error: (answer) => errorOf(answer),
}

function headOf({ number }: AnswerContext): JsonObject {
  return { modelVersion: 'gemini', responseId: `response-${number}` }
}

function endOf(answer: ModelAnswer): JsonObject {
  return { finishReason: FINISH[stopOf(answer)] }
}

/** The first call has a signature. Every second answer has ids: models before Gemini 3 gave none. */
function partsOf(
  { thinking, text, items = [], calls = [] }: ModelAnswer,
  { number }: AnswerContext,
) {
  return [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...items,
    ...calls.map(({ name, input = {}, id }, index) => ({
      functionCall: {
        ...((id ?? number % 2 === 0) && { id: id ?? `fc-${number}-${index}` }),
        name,
        args: input,
      },
      ...(index === 0 && { thoughtSignature: `c2lnbmF0dXJl${number}` }),
    })),
  ]
}

function usageOf({ usage = {} }: ModelAnswer): JsonObject {
  const { input = 1, cached, output = 1, reasoning = 0 } = usage
  return {
    usageMetadata: {
      promptTokenCount: input,
      ...(cached !== undefined && { cachedContentTokenCount: cached }),
      candidatesTokenCount: output - reasoning,
      ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
      totalTokenCount: input + output,
    },
  }
}

function errorOf({ status, message = 'It failed.', type }: ErrorAnswer): JsonObject {
  return { error: { code: status, message, status: type ?? 'INVALID_ARGUMENT' } }
}
