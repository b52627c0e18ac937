import { Anthropic } from '@anthropic-ai/sdk'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isStepCount, type LanguageModel, streamText } from 'ai'
import type { VirtualWorkspace, WorkspaceOptions } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forGemini } from 'loadout/gemini'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import { geminiClient } from '../../tests/wires/server/gemini-client.ts'
import type { Wire } from '../../tests/wires/wire.ts'

/** An adapter with a client that streams. */
export interface WireClient {
  readonly name: string
  readonly wire: Wire
  readonly provider: NonNullable<WorkspaceOptions['provider']>
  /** Runs one turn of the user. Rejects when the stream breaks. */
  run(url: string, workspace: VirtualWorkspace): Promise<unknown>
}

function aiSdk(
  name: string,
  wire: Wire,
  provider: WireClient['provider'],
  model: (url: string) => LanguageModel,
): WireClient {
  return {
    name,
    wire,
    provider,
    async run(url, workspace) {
      const settings = { ...forAiSdk(workspace), maxRetries: 0, stopWhen: isStepCount(5) }
      const errors: unknown[] = []
      const onError = (error: unknown) => void errors.push(error)
      const result = streamText({ model: model(url), ...settings, prompt: 'Add.', onError })
      await result.consumeStream({ onError })
      if (errors.length > 0) throw errors[0]
    },
  }
}

const openAi = (url: string) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const heard = () => undefined

export const WIRE_CLIENTS: readonly WireClient[] = [
  aiSdk('AI SDK, compatible', 'openai-chat', 'compatible', (url) =>
    createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` })('qwen3'),
  ),
  aiSdk('AI SDK, OpenAI chat', 'openai-chat', 'openai', (url) =>
    createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).chat('gpt-4.1'),
  ),
  aiSdk('AI SDK, OpenAI', 'openai-responses', 'openai', (url) =>
    createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).responses('gpt-5.4'),
  ),
  aiSdk('AI SDK, Anthropic', 'anthropic-beta', 'anthropic', (url) =>
    createAnthropic({ apiKey: 'k', baseURL: `${url}/v1` })('claude-opus-4-8'),
  ),
  {
    name: 'Chat Completions',
    wire: 'openai-chat',
    provider: 'compatible',
    run: (url, workspace) =>
      forChatCompletions(workspace).run(openAi(url), {
        model: 'qwen3',
        messages: [{ role: 'user', content: 'Add.' }],
        onChunk: heard,
      }),
  },
  {
    name: 'OpenAI Responses',
    wire: 'openai-responses',
    provider: 'openai',
    run: (url, workspace) =>
      forOpenAI(workspace, { model: 'gpt-5.4' }).run(openAi(url), {
        input: [{ role: 'user', content: 'Add.' }],
        onEvent: heard,
      }),
  },
  {
    name: 'Gemini',
    wire: 'gemini',
    provider: 'google',
    run: (url, workspace) =>
      forGemini(workspace, { model: 'gemini-3.8-flash' }).run(geminiClient(url), {
        contents: [{ role: 'user', parts: [{ text: 'Add.' }] }],
        onChunk: heard,
      }),
  },
  {
    name: 'Anthropic',
    wire: 'anthropic-beta',
    provider: 'anthropic',
    run: (url, workspace) =>
      forAnthropic(workspace, { model: 'claude-opus-4-8' }).run(
        new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 }),
        {
          messages: [{ role: 'user', content: 'Add.' }],
          max_tokens: 999,
          onEvent: heard,
        },
      ),
  },
]
