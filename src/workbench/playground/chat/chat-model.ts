import { WorkspaceError } from '../../../entries/index.ts'
import type { ChatAnswer, ChatNotice, ChatQuestion } from './chat-event.ts'
import { openChatStore } from './chat-store.ts'
import { openChat } from './open-chat.ts'
import { type ModelChoice, openModel } from './open-model.ts'
import { servedAnswers } from '../../project/scenarios/adapter-model.ts'
import type { ScenarioModel, ScenarioSession } from '../../project/scenarios/scenario-model.ts'
import { openScriptedServer, SCRIPTED } from '../../project/scenarios/scripted-server.ts'

/**
 * Returns the way to a model through the chat of `loadout run`: with the AI SDK, over a socket. Without an address, the
 * server answers as the scenario says.
 */
export function chatModel({
  address,
  key,
  context,
}: Omit<ModelChoice, 'configured'>): ScenarioModel {
  return {
    async open(session) {
      const { workspace } = session
      const server = address === undefined ? await openScriptedServer() : null
      const { chat } = openChat({
        workspace,
        store: openChatStore(null, workspace.session),
        model: await openModel({
          address: server === null ? address : `${server.url}#${SCRIPTED}`,
          key,
          context,
        }),
        ask: (question) => answerAs(session, question),
      })
      return {
        async say(message, answers) {
          server?.script(servedAnswers(answers, session, 'openai'))
          let text: string | null = null
          let notice: ChatNotice | null = null
          for await (const event of chat.say(message, new AbortController().signal)) {
            if (event.type === 'step.begun') text = null
            else if (event.type === 'text') text = (text ?? '') + event.text
            else if (event.type === 'notice') notice = event
            else if (event.type === 'turn.ended' && event.status === 'failed') {
              const { message = 'The model gave no answer.', hint = '' } = notice ?? {}
              throw new WorkspaceError('MODEL_FAILED', message, { hint })
            }
          }
          return text
        },
        close: async () => server?.close(),
      }
    },
  }
}

/** Answers a question as the person of the scenario does; null when nobody does. */
async function answerAs(
  { workspace, decide }: ScenarioSession,
  { question, call, tool, input }: ChatQuestion,
): Promise<ChatAnswer | null> {
  const asked = workspace.state.confirmations.find(({ id }) => id === question)
  const decision = decide(asked?.tool ?? tool)
  if (decision !== 'deny') return decision === 'approve' ? 'call' : null
  // The SDK makes no call that was denied. The gate says why.
  await workspace.deny(question)
  await workspace.callTool(tool, input, { caller: 'model', call })
  return 'no'
}
