import { gateway, type LanguageModel } from 'ai'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { Chat, type ChatParts } from './chat.ts'
import type { ChatModel } from './chat-event.ts'
import { type ChatPlace, type ChatStore, openChatStore } from './chat-store.ts'
import { scriptedAgent } from './scripted/scripted-agent.ts'

export interface OpenChatOptions extends Pick<ChatParts, 'ask'> {
  readonly workspace: VirtualWorkspace
  /** The place in which the messages are stored; null for a session in memory. */
  readonly chats: ChatPlace | null
  /** The model that answers; the scripted agent when absent. */
  readonly model?: ChatModel | undefined
  /** The messages so far; those of the file when absent. */
  readonly store?: ChatStore | undefined
}

/** A chat with its model and its messages. */
export interface OpenChat {
  readonly chat: Chat
  readonly model: ChatModel
  readonly store: ChatStore
}

/** Opens the conversation of a session. */
export async function openChat(options: OpenChatOptions): Promise<OpenChat> {
  const { workspace, chats, ask } = options
  const { store = openChatStore(chats, workspace.session) } = options
  const said = () =>
    store.messages.flatMap(({ role, content }) =>
      role === 'user' && typeof content === 'string' ? [content] : [],
    )
  const scripted = { name: 'the scripted agent', server: null, context: null }
  const { model = { model: scriptedAgent({ workspace, said }), ...scripted } } = options
  return { chat: new Chat({ workspace, model, store, ask }), model, store }
}

/** Returns the model of a configuration or an application: a model of the AI SDK, or its id at the gateway. */
export function configuredModel(given: unknown, context?: number): ChatModel {
  const model =
    typeof given === 'string' ? gateway(given) : (given as Exclude<LanguageModel, string>)
  const name = `${model.modelId} of ${model.provider}`
  return { model, name, server: null, context: context ?? null }
}
