import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, streamText, type LanguageModel, type ModelMessage } from 'ai'
import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../../../wires/server/answer.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'

const MODELS: Readonly<Record<string, (url: string) => LanguageModel>> = {
  'openai.responses': (url) => createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` })('gpt-5.4'),
  'openai.chat': (url) => createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).chat('gpt-4.1'),
  compatible: (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` })('qwen3'),
  'anthropic.messages': (url) =>
    createAnthropic({ apiKey: 'k', baseURL: `${url}/v1` })('claude-opus-4-8'),
}

const WIRES = Object.keys(MODELS)

const CLIENTS = WIRES.flatMap((wire) => [false, true].map((streamed) => ({ wire, streamed })))

/** A host that keeps the messages of each step as it ends, and runs again after an error. */
async function aHost(wire: string, streamed: boolean, answers: readonly Answer[]) {
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
        return { order, found: true }
      },
    }),
    defineTool({
      name: 'wait',
      description: 'Wait for ever.',
      inputSchema: z.object({}),
      execute: (_, { signal }) => {
        handler.resolve(signal)
        return new Promise(() => {})
      },
    }),
  ]
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools }) })
  const server = await openWireServer({ answers })
  const settings = forAiSdk(workspace)
  const messages: ModelMessage[] = [{ role: 'user', content: 'Where is order 7?' }]
  /** Returns the text; rejects with the error of the run. */
  const run = async (abortSignal?: AbortSignal): Promise<string> => {
    const options = {
      model: MODELS[wire]?.(server.url) as LanguageModel,
      messages,
      maxRetries: 0,
      stopWhen: isStepCount(9),
      onStepEnd: ({ response }: { readonly response: { readonly messages: ModelMessage[] } }) => {
        messages.push(...response.messages)
      },
      ...(abortSignal && { abortSignal }),
      ...settings,
    }
    if (!streamed) return (await generateText(options)).text
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => undefined)
    const result = streamText({
      ...options,
      onError: ({ error }) => failed.reject(error),
      onAbort: () => failed.reject(new Error('aborted')),
    })
    await result.consumeStream()
    return Promise.race([failed.promise, Promise.resolve(result.text)])
  }
  const started = async () => {
    const entries = await workspace.entries()
    return entries.flatMap(({ event }) => (event.type === 'call.started' ? event.call : []))
  }
  const turns = () => workspace.state.turn
  return { ran, handler, run, messages, server, started, turns, workspace }
}

const find = (order: string) => ({ name: 'find', input: { order } })

test.each(CLIENTS)(
  'no call of an answer that was cut runs, and the next request is valid ($wire, streamed: $streamed)',
  async ({ wire, streamed }) => {
    for (const cut of ['{"order":"8', '', '{"order":"8"}']) {
      const calls = [find('7'), { name: 'find', arguments: cut }]
      const { run, ran, server, started, messages } = await aHost(wire, streamed, [
        { calls, stop: 'length' },
        'Sorry.',
      ])
      await run()
      messages.push({ role: 'user', content: 'And now?' })
      expect(await run()).toBe('Sorry.')
      expect(ran).toEqual([])
      expect(await started()).toEqual([])
      expect(server.violations).toEqual([])
      await server.close()
    }
  },
)

test.each(WIRES.flatMap((wire) => (['drop', 'error'] as const).map((by) => ({ wire, by }))))(
  'no call of a stream that breaks runs, wherever it breaks ($wire, $by)',
  async ({ wire, by }) => {
    let broken = 0
    for (let after = 1, events = 2; after < events; after += 1) {
      const { run, ran, server, started } = await aHost(wire, true, [
        { text: 'I look.', calls: [find('7'), find('8')], broken: { by, after } },
        'Sorry.',
        'Sorry.',
      ])
      const isBroken = await run().then(
        () => false,
        () => true,
      )
      // After the last event nothing is broken any more.
      events = server.checked.events
      // A completion is complete with its finish reason, the other answers with their last event.
      const isComplete = !isBroken && (wire === 'compatible' || wire === 'openai.chat')
      if (!isComplete && after < events) {
        broken += 1
        expect(ran).toEqual([])
        expect(await started()).toEqual([])
        expect(await run()).toBe('Sorry.')
      }
      expect(server.violations).toEqual([])
      await server.close()
    }
    expect(broken).toBeGreaterThan(5)
  },
)

test.each(CLIENTS.flatMap((client) => [429, 500].map((status) => ({ ...client, status }))))(
  'after status $status in a conversation, the same request is made again and no call runs twice ($wire, streamed: $streamed)',
  async ({ wire, streamed, status }) => {
    const { run, ran, server, started, turns } = await aHost(wire, streamed, [
      [find('7')],
      { status },
      'It is here.',
      'Not asked.',
    ])
    await expect(run()).rejects.toMatchObject({ statusCode: status })
    expect(await run()).toBe('It is here.')
    expect(ran).toEqual(['7'])
    expect(await started()).toHaveLength(1)
    expect(server.requests[2]?.body).toEqual(server.requests[1]?.body)
    expect(server.violations).toEqual([])
    expect(turns()).toBe(1)
    await server.close()
  },
)

test.each(CLIENTS)(
  'a request that failed begins no second turn when it is made again ($wire, streamed: $streamed)',
  async ({ wire, streamed }) => {
    const { run, server, turns, messages } = await aHost(wire, streamed, [
      { status: 500 },
      'It is here.',
      'You are welcome.',
    ])
    await expect(run()).rejects.toMatchObject({ statusCode: 500 })
    expect(await run()).toBe('It is here.')
    expect(turns()).toBe(1)
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body)
    messages.push({ role: 'user', content: 'Where is order 7?' })
    await run()
    expect(turns()).toBe(2)
    await server.close()
  },
)

test.each(CLIENTS)(
  'an aborted run reaches the handler, its calls are in the log, and the next request is valid ($wire, streamed: $streamed)',
  async ({ wire, streamed }) => {
    const { run, ran, server, started, handler, messages, workspace } = await aHost(
      wire,
      streamed,
      [[find('7'), { name: 'wait' }], 'Sorry.'],
    )
    const abort = new AbortController()
    const running = run(abort.signal).catch(() => undefined)
    const signal = await handler.promise
    abort.abort(new Error('The user left.'))
    await running
    expect(signal.aborted).toBe(true)
    expect(ran).toEqual(['7'])
    expect(await started()).toHaveLength(2)
    await expect.poll(() => workspace.state.calls.length).toBe(0)
    messages.push({ role: 'user', content: 'And now?' })
    expect(await run()).toBe('Sorry.')
    expect(server.violations).toEqual([])
    await server.close()
  },
)

test.each(WIRES)(
  'a call without a result in the history gets one that says so, the same in each request (%s)',
  async (wire) => {
    const { run, server, messages, ran } = await aHost(wire, false, ['Sorry.', 'Well.'])
    messages.push({
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { order: '7' } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'find', input: { order: '8' } },
      ],
    })
    messages.push({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c2',
          toolName: 'find',
          output: { type: 'json', value: { found: true } },
        },
      ],
    })
    messages.push({ role: 'user', content: 'And now?' })
    expect(await run()).toBe('Sorry.')
    expect(JSON.stringify(server.requests[0]?.body)).toContain(
      'The run ended before this call had a result.',
    )
    messages.push({ role: 'user', content: 'And then?' })
    expect(await run()).toBe('Well.')
    expect(ran).toEqual([])
    expect(server.violations).toEqual([])
    await server.close()
  },
)
