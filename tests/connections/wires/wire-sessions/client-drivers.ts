import { Anthropic } from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages/messages'
import type { VirtualWorkspace, WorkspaceStep } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { forGemini } from 'loadout/gemini'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { geminiClient, toContents } from '../../../wires/server/gemini-client.ts'
import type { Wire } from '../../../wires/wire.ts'
import type { ConverseOptions, WireConversation, WireDriver } from './wire-driver.ts'

/**
 * Notes for each step how many parts of the body each message of its conversation becomes. The models of random
 * sessions either say one text or make calls.
 */
function noteSizes(workspace: VirtualWorkspace, wire: Wire, sizes: (readonly number[])[]): void {
  const beginStep = workspace.beginStep.bind(workspace)
  workspace.beginStep = async (request): Promise<WorkspaceStep> => {
    const step = await beginStep(request)
    const { history = [] } = request ?? {}
    sizes.push(
      step.messages.map((message) => {
        if (message.kind === 'text') return 1
        if (message.kind === 'history') {
          // The calls of an answer are parts of one message, and so are their results.
          if (wire === 'gemini') return 1
          const { role, calls = [], results = [] } = history[message.index] ?? { role: 'user' }
          if (role === 'results') return results.length
          return wire === 'openai-chat' ? 1 : Math.max(1, calls.length)
        }
        if (wire === 'openai-responses') return 1
        return message.additions.length + message.removals.length
      }),
    )
    return step
  }
}

/** Runs a turn with the history of the host, which the run continues. */
type Run<Item> = (history: Item[], signal: AbortSignal) => Promise<unknown>

/** @param connect makes the object of the adapter for one workspace and one of the models */
function clientDriver<Item extends object>(
  given: Pick<WireDriver, 'name' | 'wire' | 'options'>,
  models: readonly [model: string, other: string],
  connect: (
    url: string,
    workspace: VirtualWorkspace,
    options: ConverseOptions & { readonly model: string },
  ) => Run<Item>,
): WireDriver {
  return {
    ...given,
    converse(url, options) {
      const runs = new WeakMap<VirtualWorkspace, readonly Run<Item>[]>()
      const sizes: (readonly number[])[] = []
      const conversation: WireConversation = {
        messages: [],
        usesOther: false,
        sizes,
        async turn(workspace, text, signal) {
          if (!runs.has(workspace)) noteSizes(workspace, given.wire, sizes)
          const known =
            runs.get(workspace) ??
            models.map((model) => connect(url, workspace, { model, ...options }))
          runs.set(workspace, known)
          if (text !== null) conversation.messages.push({ role: 'user', content: text })
          await known[conversation.usesOther ? 1 : 0]?.(conversation.messages as Item[], signal)
        },
      }
      return conversation
    },
  }
}

const openAi = (url: string) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const claude = (url: string) => new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })

/** The Responses API, with a model that takes tools in the conversation and one that does not. */
const RESPONSES_DRIVERS = (
  [
    ['gpt-5.4', 'gpt-5.5'],
    ['gpt-4.1', 'gpt-5.4'],
  ] as const
).map((models) =>
  clientDriver<ResponseInputItem>(
    {
      name: `OpenAI Responses, ${models[0]}`,
      wire: 'openai-responses',
      options: { provider: 'openai' },
    },
    models,
    (url, workspace, options) => {
      const conversation = forOpenAI(workspace, options)
      return (input, signal) => conversation.run(openAi(url), { input, signal, maxSteps: 30 })
    },
  ),
)

const CHAT_DRIVER = clientDriver<ChatCompletionMessageParam>(
  { name: 'Chat Completions', wire: 'openai-chat', options: { provider: 'compatible' } },
  ['qwen3', 'llama4'],
  (url, workspace, { model, ...options }) => {
    const conversation = forChatCompletions(workspace, options)
    return (messages, signal) =>
      conversation.run(openAi(url), { model, messages, signal, maxSteps: 30 })
  },
)

/** The beta of the Messages API, with a model that takes tools in the conversation and one that does not. */
const BETA_DRIVERS = (
  [
    ['claude-opus-4-8', 'claude-opus-5-1'],
    ['claude-sonnet-5', 'claude-opus-4-8'],
  ] as const
).map((models) =>
  clientDriver<BetaMessageParam>(
    {
      name: `Anthropic beta, ${models[0]}`,
      wire: 'anthropic-beta',
      options: { provider: 'anthropic' },
    },
    models,
    (url, workspace, options) => {
      const conversation = forAnthropic(workspace, options)
      return (messages, signal) =>
        conversation.run(claude(url), { messages, signal, max_tokens: 999, maxSteps: 30 })
    },
  ),
)

const STABLE_DRIVER = clientDriver<MessageParam>(
  {
    name: 'Anthropic stable',
    wire: 'anthropic',
    options: { provider: 'anthropic' },
  },
  ['claude-opus-4-8', 'claude-haiku-4-5'],
  (url, workspace, options) => {
    const conversation = forAnthropic(workspace, { api: 'stable', ...options })
    return (messages, signal) =>
      conversation.run(claude(url), { messages, signal, max_tokens: 999, maxSteps: 30 })
  },
)

/** The Gemini API, whose messages have parts: those of the random sessions have a text. */
const GEMINI_DRIVER = clientDriver(
  { name: 'Gemini', wire: 'gemini', options: { provider: 'google' } },
  ['gemini-3.8-flash', 'gemini-2.5-pro'],
  (url, workspace, { model, ...options }) => {
    const conversation = forGemini(workspace, { model, ...options })
    return (messages, signal) => {
      const contents = toContents(messages)
      return conversation.run(geminiClient(url), { contents, signal, maxSteps: 30 })
    }
  },
)

/** The adapters with the clients of the providers: the official ones, but for Gemini. */
export const CLIENT_DRIVERS: readonly WireDriver[] = [
  ...RESPONSES_DRIVERS,
  CHAT_DRIVER,
  ...BETA_DRIVERS,
  STABLE_DRIVER,
  GEMINI_DRIVER,
]
