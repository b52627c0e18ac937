import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { isStepCount, ToolLoopAgent, wrapLanguageModel, type ModelMessage } from 'ai'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk, type AiSdkSettings } from 'loadout/ai-sdk'
import type { Wire } from '../../../wires/wire.ts'
import type { WireConversation, WireDriver } from './wire-driver.ts'

type Message = LanguageModelV4Prompt[number]

/** Returns the number of parts of a body that a message becomes: items, messages, or blocks. */
function partsOf({ role, content, providerOptions }: Message, wire: Wire): number {
  if (role === 'system') {
    const changes = providerOptions?.['anthropic']?.['toolChanges']
    return Array.isArray(changes) ? changes.length : 1
  }
  if (role === 'tool') return content.length
  if (wire === 'openai-chat' || (wire === 'openai-responses' && role === 'user')) return 1
  return content.length
}

function aiSdkDriver(
  name: string,
  wire: Wire,
  provider: 'openai' | 'anthropic' | 'compatible',
  models: readonly [model: string, other: string],
  modelAt: (url: string, model: string) => LanguageModelV4,
): WireDriver {
  return {
    name,
    wire,
    options: { provider },
    converse(url, options) {
      const settings = new WeakMap<VirtualWorkspace, AiSdkSettings>()
      const sizes: (readonly number[])[] = []
      const [usual, other] = models.map((id) =>
        wrapLanguageModel({
          model: modelAt(url, id),
          middleware: {
            specificationVersion: 'v4',
            transformParams: async ({ params }) => {
              const first = params.prompt.findIndex(({ role }) => role !== 'system')
              sizes.push(params.prompt.slice(first).map((message) => partsOf(message, wire)))
              return params
            },
          },
        }),
      ) as [LanguageModelV4, LanguageModelV4]
      const conversation: WireConversation = {
        messages: [],
        usesOther: false,
        sizes,
        async turn(workspace, text, abortSignal) {
          const known = settings.get(workspace) ?? forAiSdk(workspace, options)
          settings.set(workspace, known)
          const agent = new ToolLoopAgent({
            model: conversation.usesOther ? other : usual,
            ...known,
            maxRetries: 0,
            stopWhen: isStepCount(30),
            ...(provider === 'openai' && { providerOptions: { openai: { store: false } } }),
          })
          if (text !== null) {
            conversation.messages.push({ role: 'user', content: text } satisfies ModelMessage)
          }
          const messages = conversation.messages as ModelMessage[]
          const { responseMessages } = await agent.generate({
            messages: [...messages],
            abortSignal,
          })
          conversation.messages.push(...responseMessages)
        },
      }
      return conversation
    },
  }
}

const openai = (url: string, model: string) =>
  createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).responses(model)

const anthropic = (url: string, model: string) =>
  createAnthropic({ apiKey: 'k', baseURL: `${url}/v1` })(model)

export const AI_SDK_DRIVERS: readonly WireDriver[] = [
  aiSdkDriver('AI SDK, OpenAI', 'openai-responses', 'openai', ['gpt-5.4', 'gpt-5.5'], openai),
  aiSdkDriver(
    'AI SDK, OpenAI, older model',
    'openai-responses',
    'openai',
    ['gpt-4.1', 'gpt-5.4'],
    openai,
  ),
  aiSdkDriver(
    'AI SDK, Anthropic',
    'anthropic-beta',
    'anthropic',
    ['claude-opus-4-8', 'claude-opus-5-1'],
    anthropic,
  ),
  aiSdkDriver(
    'AI SDK, Anthropic, older model',
    'anthropic',
    'anthropic',
    ['claude-haiku-4-5', 'claude-opus-4-8'],
    anthropic,
  ),
  aiSdkDriver(
    'AI SDK, compatible',
    'openai-chat',
    'compatible',
    ['qwen3', 'llama4'],
    (url, model) =>
      createOpenAICompatible({ name: 'local', apiKey: 'k', baseURL: `${url}/v1` })(model),
  ),
]
