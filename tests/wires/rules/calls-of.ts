import type { RequestToCheck } from '../check-request.ts'
import { type JsonObject, objectsOf, textOf } from '../wire.ts'
import { itemsOf } from './tools-of.ts'

/** A call in the conversation, or the result of one. */
export interface CallOrResult {
  readonly kind: 'call' | 'result'
  readonly id: string
  /** The number of the item or message. */
  readonly place: number
  readonly value: JsonObject
}

const RESPONSES_CALLS: Readonly<Record<string, CallOrResult['kind']>> = {
  function_call: 'call',
  function_call_output: 'result',
  custom_tool_call: 'call',
  custom_tool_call_output: 'result',
  tool_search_call: 'call',
  tool_search_output: 'result',
}

/** The calls that the client runs and their results, in the order of the conversation. */
export function callsOf(request: RequestToCheck): readonly CallOrResult[] {
  switch (request.wire) {
    case 'openai-responses':
      return itemsOf(request).flatMap((value, place) => {
        const kind = RESPONSES_CALLS[textOf(value, 'type')]
        // The provider answers the searches that it runs by itself.
        return kind === undefined || value.execution === 'server'
          ? []
          : [{ kind, id: textOf(value, 'call_id'), place, value }]
      })
    case 'openai-chat':
      return messagesOf(request).flatMap((message, place): readonly CallOrResult[] =>
        message.role === 'tool'
          ? [{ kind: 'result', id: textOf(message, 'tool_call_id'), place, value: message }]
          : objectsOf(message.tool_calls).map((value) => ({
              kind: 'call',
              id: textOf(value, 'id'),
              place,
              value,
            })),
      )
    case 'gemini':
      return []
    case 'anthropic':
    case 'anthropic-beta':
      return messagesOf(request).flatMap((message, place) =>
        objectsOf(message.content).flatMap((value): readonly CallOrResult[] => {
          if (value.type === 'tool_use') {
            return [{ kind: 'call', id: textOf(value, 'id'), place, value }]
          }
          return value.type === 'tool_result'
            ? [{ kind: 'result', id: textOf(value, 'tool_use_id'), place, value }]
            : []
        }),
      )
  }
}

/** The messages of Chat Completions and Anthropic, with those that the provider keeps. */
export function messagesOf({ body, earlier }: RequestToCheck): readonly JsonObject[] {
  return [...earlier.items, ...objectsOf(body.messages)]
}
