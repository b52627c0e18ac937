import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { VirtualWorkspace, WorkspaceStep } from 'loadout'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { CHAT_MESSAGES } from '../../../src/adapters/openai/chat-messages.ts'
import { groupHistory, type HistoryForm } from '../../../src/workspace/group-history.ts'
import { RESPONSES_ITEMS } from '../../../src/adapters/openai/responses-items.ts'
import type { ConverseOptions, WireConversation, WireDriver } from './wire-driver.ts'

/** Notes for each step how many items of the request each message of its conversation becomes. */
function noteSizes<Item extends object>(
  workspace: VirtualWorkspace,
  history: () => readonly Item[],
  form: HistoryForm<Item>,
  sizes: (readonly number[])[],
): void {
  const beginStep = workspace.beginStep.bind(workspace)
  workspace.beginStep = async (request): Promise<WorkspaceStep> => {
    const { groups } = groupHistory(history(), form)
    const step = await beginStep(request)
    sizes.push(
      step.messages.map((message) =>
        message.kind === 'history' ? (groups[message.index]?.items.length ?? 0) : 1,
      ),
    )
    return step
  }
}

type Run<Item> = (
  workspace: VirtualWorkspace,
  options: ConverseOptions,
) => (client: OpenAI, history: Item[], signal: AbortSignal) => Promise<unknown>

function driver<Item extends object>(
  given: Pick<WireDriver, 'name' | 'wire' | 'options'>,
  form: HistoryForm<Item>,
  connect: Run<Item>,
): WireDriver {
  return {
    ...given,
    converse(url, options) {
      const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })
      const runs = new WeakMap<VirtualWorkspace, ReturnType<Run<Item>>>()
      const sizes: (readonly number[])[] = []
      const conversation: WireConversation = {
        messages: [],
        sizes,
        async turn(workspace, text, signal) {
          const history = () => conversation.messages as Item[]
          if (!runs.has(workspace)) noteSizes(workspace, history, form, sizes)
          const run = runs.get(workspace) ?? connect(workspace, options)
          runs.set(workspace, run)
          if (text !== null) conversation.messages.push({ role: 'user', content: text })
          await run(client, history(), signal)
        },
      }
      return conversation
    },
  }
}

/** The adapter of the Responses API, with a model that takes tools in the conversation and one that does not. */
const RESPONSES_DRIVERS = ['gpt-5.4', 'gpt-4.1'].map((model) =>
  driver<ResponseInputItem>(
    {
      name: `OpenAI Responses, ${model}`,
      wire: 'openai-responses',
      options: { provider: 'openai' },
    },
    RESPONSES_ITEMS,
    (workspace, options) => {
      const conversation = forOpenAI(workspace, { model, ...options })
      return (client, input, signal) => conversation.run(client, { input, signal, maxSteps: 30 })
    },
  ),
)

const CHAT_DRIVER = driver<ChatCompletionMessageParam>(
  { name: 'Chat Completions', wire: 'openai-chat', options: { provider: 'compatible' } },
  CHAT_MESSAGES,
  (workspace, options) => {
    const conversation = forChatCompletions(workspace, options)
    return (client, messages, signal) =>
      conversation.run(client, { model: 'qwen3', messages, signal, maxSteps: 30 })
  },
)

export const OPENAI_DRIVERS: readonly WireDriver[] = [...RESPONSES_DRIVERS, CHAT_DRIVER]
