import type Anthropic from '@anthropic-ai/sdk'
import { providerTool } from 'loadout/adapter'
import type OpenAI from 'openai'
import { expectTypeOf, test } from 'vitest'

const tool = { name: 'find', description: 'Finds.', inputSchema: { type: 'object' } }

test('the clients of providers accept the forms of a tool', () => {
  expectTypeOf([providerTool(tool, 'openai'), providerTool(tool, 'openai-strict')]).toExtend<
    OpenAI.Responses.FunctionTool[]
  >()
  expectTypeOf([
    providerTool(tool, 'openai-chat'),
    providerTool(tool, 'openai-chat-strict'),
  ]).toExtend<OpenAI.Chat.ChatCompletionTool[]>()
  expectTypeOf([providerTool(tool, 'anthropic')]).toExtend<Anthropic.Tool[]>()
  expectTypeOf([providerTool(tool, 'anthropic')]).toExtend<Anthropic.Beta.BetaToolUnion[]>()
})

test('a form of one API is not accepted by another', () => {
  expectTypeOf(providerTool(tool, 'openai-chat')).not.toExtend<OpenAI.Responses.FunctionTool>()
  expectTypeOf(providerTool(tool, 'openai')).not.toExtend<OpenAI.Chat.ChatCompletionTool>()
  // @ts-expect-error no provider has this name
  providerTool(tool, 'open-ai')
})
