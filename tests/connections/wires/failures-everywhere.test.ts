import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Anthropic } from '@anthropic-ai/sdk'
import { isStepCount, type LanguageModel, type ModelMessage, ToolLoopAgent } from 'ai'
import { createCatalog, defineTool, VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forGemini } from 'loadout/gemini'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { geminiClient, toContents } from '../../wires/server/gemini-client.ts'
import { openWireServer, type WireServerOptions } from '../../wires/server/open-wire-server.ts'

/** Runs the conversation of a host, whose messages it appends to. */
type Run = (signal?: AbortSignal) => Promise<unknown>

interface EntryPoint {
  readonly name: string
  readonly provider: NonNullable<WorkspaceOptions['provider']>
  connect(at: {
    readonly url: string
    readonly workspace: VirtualWorkspace
    readonly messages: object[]
    readonly streamed: boolean
  }): Run
}

const settings = (url: string) => ({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const watch = () => undefined

function viaAiSdk(
  name: string,
  provider: EntryPoint['provider'],
  modelAt: (url: string) => LanguageModel,
): EntryPoint {
  return {
    name: `AI SDK, ${name}`,
    provider,
    connect({ url, workspace, messages, streamed }) {
      const history = messages as ModelMessage[]
      const agent = new ToolLoopAgent({
        model: modelAt(url),
        ...forAiSdk(workspace),
        maxRetries: 0,
        stopWhen: isStepCount(9),
        onStepEnd: ({ response }) => void history.push(...response.messages),
        ...(provider === 'openai' && { providerOptions: { openai: { store: false } } }),
      })
      return async (signal) => {
        const given = { messages: [...history], ...(signal && { abortSignal: signal }) }
        if (!streamed) return agent.generate(given)
        const failures: unknown[] = []
        const { stream } = await agent.stream(given)
        for await (const part of stream) {
          if (part.type === 'error') failures.push(part.error)
          if (part.type === 'abort') failures.push(new Error('aborted'))
        }
        if (failures.length > 0) throw failures[0]
        return undefined
      }
    },
  }
}

const ENTRY_POINTS: readonly EntryPoint[] = [
  viaAiSdk('OpenAI', 'openai', (url) => createOpenAI(settings(url)).responses('gpt-5.4')),
  viaAiSdk('Anthropic', 'anthropic', (url) => createAnthropic(settings(url))('claude-opus-4-8')),
  viaAiSdk('compatible', 'compatible', (url) =>
    createOpenAICompatible({ name: 'local', ...settings(url) })('qwen3'),
  ),
  {
    name: 'OpenAI, Responses',
    provider: 'openai',
    connect({ url, workspace, messages, streamed }) {
      const conversation = forOpenAI(workspace, { model: 'gpt-5.4' })
      const input = messages as OpenAI.Responses.ResponseInputItem[]
      return (signal) =>
        conversation.run(new OpenAI(settings(url)), {
          input,
          ...(signal && { signal }),
          ...(streamed && { onEvent: watch }),
        })
    },
  },
  {
    name: 'OpenAI, Chat Completions',
    provider: 'compatible',
    connect({ url, workspace, messages, streamed }) {
      const conversation = forChatCompletions(workspace)
      const history = messages as OpenAI.ChatCompletionMessageParam[]
      return (signal) =>
        conversation.run(new OpenAI(settings(url)), {
          model: 'qwen3',
          messages: history,
          ...(signal && { signal }),
          ...(streamed && { onChunk: watch }),
        })
    },
  },
  {
    name: 'Gemini',
    provider: 'google',
    connect({ url, workspace, messages, streamed }) {
      const conversation = forGemini(workspace, { model: 'gemini-3.8-flash' })
      return (signal) =>
        conversation.run(geminiClient(url), {
          contents: toContents(messages),
          ...(signal && { signal }),
          ...(streamed && { onChunk: watch }),
        })
    },
  },
  ...(['beta', 'stable'] as const).map((api): EntryPoint => ({
    name: `Anthropic, ${api}`,
    provider: 'anthropic',
    connect({ url, workspace, messages, streamed }) {
      const options = { model: 'claude-opus-4-8', max_tokens: 99 }
      const client = new Anthropic({ ...settings(url), baseURL: url })
      const history = messages as Anthropic.MessageParam[]
      const others = (signal?: AbortSignal) => ({
        ...(signal && { signal }),
        ...(streamed && { onEvent: watch }),
      })
      if (api === 'beta') {
        const conversation = forAnthropic(workspace, { model: options.model })
        return (signal) =>
          conversation.run(client, { ...options, messages: history, ...others(signal) })
      }
      const conversation = forAnthropic(workspace, { model: options.model, api })
      return (signal) =>
        conversation.run(client, { ...options, messages: history, ...others(signal) })
    },
  })),
]

const find = (order: string) => ({ name: 'find', input: { order } })

/** A conversation at an entry point, with a tool that is quick, and one that waits for its signal. */
async function aHost(
  { provider, connect }: EntryPoint,
  streamed: boolean,
  answers: WireServerOptions['answers'],
) {
  const ran: string[] = []
  const handler = Promise.withResolvers<AbortSignal>()
  const tools = [
    defineTool({
      name: 'find',
      description: 'Find an order.',
      category: 'retrieval',
      inputSchema: z.object({ order: z.string() }),
      execute: ({ order }) => {
        ran.push(order)
        return { order }
      },
    }),
    defineTool({
      name: 'wait',
      description: 'Wait.',
      execute: (_, { signal }) =>
        new Promise<never>((_resolve, reject) => {
          handler.resolve(signal)
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    }),
  ]
  const server = await openWireServer({ answers })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools }),
    provider,
  })
  onTestFinished(async () => {
    await workspace.close()
    await server.close()
  })
  const messages: object[] = [{ role: 'user', content: 'Where is order 7?' }]
  const run = connect({ url: server.url, workspace, messages, streamed })
  const started = async () =>
    (await workspace.entries()).filter(({ event }) => event.type === 'call.started').length
  return { run, ran, server, workspace, messages, started, handler: handler.promise }
}

const CASES = ENTRY_POINTS.flatMap((entry) =>
  [false, true].map((streamed) => ({ name: entry.name, entry, streamed })),
)

test.each(CASES.flatMap((one) => [429, 503].map((status) => ({ ...one, status }))))(
  'after status $status in a conversation, the next run sends the same request, and no call runs twice ($name, streamed: $streamed)',
  async ({ entry, streamed, status }) => {
    const { run, ran, server, started, workspace } = await aHost(entry, streamed, [
      [find('7')],
      { status },
      'It is here.',
    ])
    await expect(run()).rejects.toBeInstanceOf(Error)
    await run()
    expect(server.requests[2]?.body).toEqual(server.requests[1]?.body)
    expect(ran).toEqual(['7'])
    expect(await started()).toBe(1)
    expect(workspace.state.turn).toBe(1)
    expect(server.violations).toEqual([])
  },
)

test.each(CASES)(
  'no call of an answer whose connection is dropped runs, and the next run goes on ($name, streamed: $streamed)',
  async ({ entry, streamed }) => {
    const { run, ran, server, started } = await aHost(entry, streamed, [
      [find('7')],
      { calls: [find('8')], broken: { by: 'drop', after: 2 } },
      'It is here.',
    ])
    await expect(run()).rejects.toBeInstanceOf(Error)
    expect(ran).toEqual(['7'])
    await run()
    expect(ran).toEqual(['7'])
    expect(await started()).toBe(1)
    expect(server.violations).toEqual([])
  },
)

test.each(CASES)(
  'an abort reaches the handler, calls that ran are in the log, and the next run goes on ($name, streamed: $streamed)',
  async ({ entry, streamed }) => {
    const { run, ran, server, started, handler, messages, workspace } = await aHost(
      entry,
      streamed,
      [[find('7')], [{ name: 'wait' }], 'Sorry.'],
    )
    const aborting = new AbortController()
    const running = run(aborting.signal).catch(() => undefined)
    const signal = await handler
    aborting.abort(new Error('The user left.'))
    await running
    expect(signal.aborted).toBe(true)
    await expect.poll(() => workspace.state.calls.length).toBe(0)
    expect(ran).toEqual(['7'])
    expect(await started()).toBe(2)
    messages.push({ role: 'user', content: 'And now?' })
    await run()
    expect(ran).toEqual(['7'])
    expect(server.violations).toEqual([])
  },
)
