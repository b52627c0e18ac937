import {
  generateText,
  type InferAgentUIMessage,
  type InferUITools,
  jsonSchema,
  streamText,
  tool,
  ToolLoopAgent,
  type LanguageModel,
  type ToolSet,
  type UIMessage,
} from 'ai'
import { defineTool, toolsFromAiSdk, type VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

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

const tools = {
  read: tool({
    description: 'Read a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => ({ path, lines: 3 }),
  }),
  ask: tool({
    description: 'Ask the user.',
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.object({ answer: z.string() }),
  }),
}

/** With `exactOptionalPropertyTypes`, the SDK's `InferAgentUIMessage` has no types of tools, so it is not used here. */
type PartOf<Tools extends ToolSet, Type> = Extract<
  UIMessage<unknown, never, InferUITools<Tools>>['parts'][number],
  { type: Type }
>

test('parts of messages have the types of the tools of the SDK, as those of a plain agent', () => {
  void toolsFromAiSdk(tools)
  const plain = new ToolLoopAgent({ model, tools })
  const agent = new ToolLoopAgent({ model, ...forAiSdk<typeof tools>(workspace) })
  expectTypeOf<InferAgentUIMessage<typeof agent>>().toEqualTypeOf<
    InferAgentUIMessage<typeof plain>
  >()
  expectTypeOf(agent.tools).toEqualTypeOf(plain.tools)
  type Read = PartOf<typeof agent.tools, 'tool-read'>
  expectTypeOf<Extract<Read, { state: 'output-available' }>['output']>().toEqualTypeOf<{
    path: string
    lines: number
  }>()
  expectTypeOf<Extract<Read, { state: 'input-available' }>['input']>().toEqualTypeOf<{
    path: string
  }>()
  expectTypeOf<PartOf<typeof agent.tools, 'tool-reed'>>().toBeNever()
})

test('parts of messages have the types of tools of the catalog', () => {
  const refund = defineTool({
    name: 'refund',
    description: 'Pay an order back.',
    inputSchema: z.object({ order: z.string() }),
    execute: ({ order }) => ({ order, paid: 42 }),
  })
  const agent = new ToolLoopAgent({
    model,
    ...forAiSdk<typeof tools & { refund: typeof refund }>(workspace),
  })
  type Refund = PartOf<typeof agent.tools, 'tool-refund'>
  expectTypeOf<Extract<Refund, { state: 'output-available' }>['output']>().toEqualTypeOf<{
    order: string
    paid: number
  }>()
})

test('an agent for many has the types of parts, too', () => {
  const agent = new ToolLoopAgent({
    model,
    ...forAiSdk<typeof tools, { readonly chat: string }>({ open }),
  })
  expectTypeOf<PartOf<typeof agent.tools, 'tool-ask'>>().not.toBeNever()
  expectTypeOf(agent.generate).toBeCallableWith({ prompt: 'Hello.', options: { chat: 'a' } })
})

test('the options of a call are typed by the prepareCall and the schema of the host', () => {
  const agent = new ToolLoopAgent({
    model,
    ...forAiSdk(workspace, {
      callOptionsSchema: jsonSchema<{ readonly place: string }>({}),
      prepareCall: ({ options, ...rest }) => ({ ...rest, instructions: options.place }),
    }),
  })
  expectTypeOf(agent.generate).toBeCallableWith({ prompt: 'Hello.', options: { place: 'Rome' } })
  // @ts-expect-error a place is a text
  void agent.generate({ prompt: 'Hello.', options: { place: 7 } })
})

test('services of a call, a turn and a run have the type of those of the workspace', () => {
  expectTypeOf(workspace.callTool).toBeCallableWith('pay', {}, { services: { shop: 'a' } })
  // @ts-expect-error a shop is a text
  void workspace.beginTurn({ services: { shop: 7 } })
  // @ts-expect-error a shop is a text
  void workspace.callTool('pay', {}, { services: { shop: 7 } })
  forAiSdk(workspace, { services: ({ shop }: { shop: string }) => ({ shop }) })
  // @ts-expect-error a shop is a text
  forAiSdk(workspace, { services: () => ({ shop: 7 }) })
})
