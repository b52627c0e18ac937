import { generateText, streamText, ToolLoopAgent, type LanguageModel } from 'ai'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expectTypeOf, test } from 'vitest'

declare const model: LanguageModel
declare const workspace: VirtualWorkspace<{ readonly shop: string }>
declare function open(options: { readonly chat: string }): Promise<VirtualWorkspace>

test('the settings of a workspace fit an agent, generateText and streamText', () => {
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  expectTypeOf(agent.generate).parameter(0).toExtend<object>()
  expectTypeOf(agent.generate).toBeCallableWith({ prompt: 'Hello.' })
  expectTypeOf(generateText).toBeCallableWith({ model, prompt: 'Hello.', ...forAiSdk(workspace) })
  expectTypeOf(streamText).toBeCallableWith({ model, prompt: 'Hello.', ...forAiSdk(workspace) })
})

test('an agent for many has the options that its workspaces are opened by', () => {
  const agent = new ToolLoopAgent({ model, ...forAiSdk({ open }) })
  expectTypeOf(agent.generate).toBeCallableWith({ prompt: 'Hello.', options: { chat: 'a' } })
  // @ts-expect-error the chat is missing
  void agent.generate({ prompt: 'Hello.' })
  // @ts-expect-error a chat is a text
  void agent.generate({ prompt: 'Hello.', options: { chat: 7 } })
})
