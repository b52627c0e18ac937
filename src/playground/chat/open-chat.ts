import { gateway, type LanguageModel } from 'ai'
import { Chat, type ChatParts } from './chat.ts'
import { chatFile, type ChatStore, openChatStore } from './chat-store.ts'
import { scriptedAgent } from './scripted/scripted-agent.ts'
import { type ChatModel, openServerModel } from './open-server-model.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

export interface OpenChatOptions extends Pick<ChatParts, 'ask'> {
  readonly workspace: VirtualWorkspace
  /** The folder in which the messages are stored; null for a session in memory. */
  readonly chats: string | null
  /** `scripted`, or the address of a server and a model: `http://localhost:11434/v1#qwen3`. */
  readonly address?: string | undefined
  /** The model of the configuration, which answers when no address is given. */
  readonly configured?: unknown
  readonly key?: string | undefined
  readonly context?: number | undefined
  /** The messages so far; those of the file when absent. */
  readonly store?: ChatStore | undefined
}

/** A chat with its model and its messages. */
export interface OpenChat {
  readonly chat: Chat
  readonly model: ChatModel
  readonly store: ChatStore
}

/** Opens the conversation of a session. Without a model, the scripted agent answers. */
export async function openChat(options: OpenChatOptions): Promise<OpenChat> {
  const { workspace, chats, ask } = options
  const file = chats === null ? null : chatFile(chats, workspace.session)
  const { store = openChatStore(file) } = options
  const said = () =>
    store.messages.flatMap(({ role, content }) =>
      role === 'user' && typeof content === 'string' ? [content] : [],
    )
  const model = await openModel(options, () => scriptedModel(workspace, said))
  return { chat: new Chat({ workspace, model, store, ask }), model, store }
}

async function openModel(
  { address, configured, key, context }: OpenChatOptions,
  scripted: () => ChatModel,
): Promise<ChatModel> {
  if (address === undefined && configured !== undefined) {
    return configuredModel(configured, context ?? null)
  }
  if (address === undefined || address === 'scripted') return scripted()
  if (/^https?:\/\//u.test(address) && URL.canParse(address)) {
    return openServerModel({ address, key, context })
  }
  throw new WorkspaceError('WRONG_USAGE', `"${address}" is not the address of a model.`, {
    hint: 'Write the URL of a server and the name of a model: --model http://localhost:11434/v1#qwen3. Or "scripted".',
  })
}

function configuredModel(given: unknown, context: number | null): ChatModel {
  const model =
    typeof given === 'string' ? gateway(given) : (given as Exclude<LanguageModel, string>)
  return { model, name: `${model.modelId} of ${model.provider}`, server: null, context }
}

function scriptedModel(workspace: VirtualWorkspace, said: () => readonly string[]): ChatModel {
  const model = scriptedAgent({ workspace, said })
  return { model, name: 'the scripted agent', server: null, context: null }
}
