import { NOTHING_EARLIER, type EarlierConversation } from '../check-request.ts'
import { itemsOf } from '../rules/tools-of.ts'
import { messagesOf } from '../rules/calls-of.ts'
import { isObject, type JsonObject, objectsOf, textOf } from '../wire.ts'
import type { WireRequest } from './open-wire-server.ts'

/** Conversations that a provider keeps, by the id of their last answer. */
export interface KeptConversations {
  /** Returns the conversation before a request; undefined when it continues an answer that is not known. */
  before(request: Pick<WireRequest, 'wire' | 'body'>): EarlierConversation | undefined
  keep(request: WireRequest, earlier: EarlierConversation, answer: JsonObject): void
}

/** Keeps what `previous_response_id` (OpenAI) and `thread` (Anthropic beta) continue. */
export function keepConversations(): KeptConversations {
  const kept = new Map<string, EarlierConversation>()
  const stored = new Map<string, JsonObject>()
  return {
    before: ({ body }) => {
      const { previous_response_id: previous, thread } = body
      const id = isObject(thread) ? thread.previous_message_id : previous
      const earlier = typeof id === 'string' ? kept.get(id) : NOTHING_EARLIER
      return earlier && { ...earlier, stored }
    },
    keep: (request, earlier, answer) => {
      const { wire, body, betas } = request
      const asked = { wire, body, betas, earlier }
      if (wire === 'openai-responses' && body.store !== false) {
        // The tools of a request are not kept: each request says its own.
        const items = [...itemsOf(asked), ...objectsOf(answer.output)]
        kept.set(textOf(answer, 'id'), { items, tools: [] })
        for (const item of objectsOf(answer.output)) stored.set(textOf(item, 'id'), item)
      }
      if (isObject(body.thread)) {
        const items = [...messagesOf(asked), { role: 'assistant', content: answer.content }]
        const tools = body.tools === undefined ? earlier.tools : objectsOf(body.tools)
        kept.set(textOf(answer, 'id'), { items, tools })
      }
    },
  }
}
