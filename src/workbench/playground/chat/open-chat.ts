import { gateway, type LanguageModel } from 'ai'
import { Chat, type ChatParts } from './chat.ts'
import type { ChatModel } from './chat-event.ts'
import type { ChatStore } from './chat-store.ts'
import { localModel } from './local-model.ts'
import { searchAnswer } from './search-answer.ts'

/** A chat with its model and its messages. */
export interface OpenChat {
  readonly chat: Chat
  readonly model: ChatModel
  readonly store: ChatStore
}

/** Opens a conversation on a workspace. The command that opened the screen knows the model. */
export type ChatOpener = (
  parts: Pick<ChatParts, 'workspace' | 'ask'> & {
    /** The messages so far; those that are stored when absent. */
    readonly store?: ChatStore | undefined
  },
) => Promise<OpenChat>

/** Opens the conversation of a session. Without a model, the search answers. */
export function openChat(
  parts: Omit<ChatParts, 'model'> & { readonly model?: ChatModel | undefined },
): OpenChat {
  const { workspace, store, ask } = parts
  const messages = () => store.messages
  const search = () => {
    const said = store.messages.findLast(({ role }) => role === 'user')
    const isNew = store.messages.at(-1) === said
    return searchAnswer(String(said?.content ?? ''), workspace, isNew)
  }
  const { model = localModel('the search (no model)', messages, search) } = parts
  return { chat: new Chat({ workspace, model, store, ask }), model, store }
}

/** Returns the model of a configuration or an application: a model of the AI SDK, or its id at the gateway. */
export function configuredModel(given: unknown, context?: number): ChatModel {
  const model =
    typeof given === 'string' ? gateway(given) : (given as Exclude<LanguageModel, string>)
  const name = `${model.modelId} of ${model.provider}`
  return { model, name, server: null, context: context ?? null }
}
