import { stepCountIs, streamText, type LanguageModel, type ModelMessage } from 'ai'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import type { ChatEvent } from './chat-event.ts'
import type { Chats } from './chats.ts'
import { openQuestion } from './open-question.ts'

interface Conversation {
  readonly chat: string
  readonly chats: Chats
  readonly workspace: VirtualWorkspace
  readonly model: LanguageModel
}

/**
 * Go on with a conversation, wherever it stands, until it is answered or asks something.
 *
 * One step at a time: what a step came to is stored before the next one begins, so a server that
 * takes over loses the step at most that nobody had the end of.
 */
export async function* answer({
  chat,
  chats,
  workspace,
  model,
}: Conversation): AsyncGenerator<ChatEvent> {
  const settings = forAiSdk(workspace)
  for (;;) {
    const messages = [...(await chats.read(chat))]
    const question = openQuestion(messages)
    if (question !== null) return yield { type: 'question', ...question }
    const text = finalText(messages.at(-1))
    if (text !== null) return yield { type: 'done', answer: text }

    const step = streamText({ ...settings, model, messages, stopWhen: stepCountIs(1) })
    for await (const part of step.fullStream) {
      if (part.type === 'text-delta') yield { type: 'text', text: part.text }
      if (part.type === 'tool-call') yield { type: 'tool', tool: part.toolName }
      if (part.type === 'error') throw part.error
    }
    await chats.add(chat, messages.length, await step.responseMessages)
  }
}

/** The text that ends a turn; null while the model has something to do. */
function finalText(last: ModelMessage | undefined): string | null {
  if (last?.role !== 'assistant') return null
  if (typeof last.content === 'string') return last.content
  if (last.content.some(({ type }) => type === 'tool-call')) return null
  return last.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
}
