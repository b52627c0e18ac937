import { gateway, type LanguageModel } from 'ai'
import { Chat, type ChatParts } from './chat.ts'
import {
  type VirtualWorkspace,
  WorkspaceError,
  type WorkspaceOptions,
} from '../../../entries/index.ts'
import type { ChatEvent, ChatModel } from './chat-event.ts'
import { type ChatStore, openChatStore } from './chat-store.ts'
import { localModel } from './local-model.ts'
import { searchAnswer } from './search-answer.ts'

/** The place where the conversation of a session says how it carries out a skill with `context: fork`. */
export interface ForkDesk {
  run: WorkspaceOptions['runSkill'] | null
}

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
    /** Gets what happens in the child session of a skill with `context: fork`. */
    readonly onChild?: ((event: ChatEvent, session: string) => void) | undefined
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

/**
 * Returns the function that lets the model of a conversation carry out a skill with `context: fork`, in a conversation
 * of its own. A person answers its questions in the same way.
 */
export function forkRunner(
  { workspace, ask, onChild }: Parameters<ChatOpener>[0],
  model: ChatModel,
): NonNullable<WorkspaceOptions['runSkill']> {
  return async (run) => {
    const child: VirtualWorkspace = await run.open(workspace)
    const store = openChatStore(null, child.session)
    const { begin: _, ...own } = model
    const turn = new Chat({ workspace: child, store, model: own, ask }).say(run.task, run.signal)
    let answer = ''
    for (;;) {
      const next = await turn.next()
      if (next.done === true) {
        if (next.value === 'done') return answer
        throw new WorkspaceError(
          'MODEL_FAILED',
          `The subagent gave no answer: its turn is ${next.value}.`,
          {
            hint: NO_ANSWER,
          },
        )
      }
      const { value: event } = next
      if (event.type === 'step.begun') answer = ''
      if (event.type === 'text') answer += event.text
      onChild?.(event, child.session)
    }
  }
}

const NO_ANSWER = 'Look at its session, which is a child of this one: loadout sessions list.'

/** Returns the model of a configuration or an application: a model of the AI SDK, or its id at the gateway. */
export function configuredModel(given: unknown, context?: number): ChatModel {
  const model =
    typeof given === 'string' ? gateway(given) : (given as Exclude<LanguageModel, string>)
  const name = `${model.modelId} of ${model.provider}`
  return { model, name, server: null, context: context ?? null }
}
