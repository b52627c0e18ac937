import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { Anthropic } from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { generateText, streamText } from 'ai'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { expect, onTestFinished, test } from 'vitest'
import { requestTokens } from '../../../src/engine/model/step-cost.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { aTool, aWorkspace } from '../../workspace/a-workspace.ts'

const question = { role: 'user' as const, content: 'Hello.' }

/** Asks once, and returns when the answer was read. */
type Ask = (workspace: VirtualWorkspace, url: string, isStreamed: boolean) => Promise<unknown>

const openai = (url: string) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const settled = async (
  model: Parameters<typeof generateText>[0]['model'],
  workspace: VirtualWorkspace,
  isStreamed: boolean,
) => {
  const call = { model, ...forAiSdk(workspace), messages: [question], maxRetries: 0 }
  if (isStreamed) await streamText(call).text
  else await generateText(call)
}

const WIRES: Readonly<
  Record<string, { readonly provider: 'openai' | 'anthropic'; readonly ask: Ask }>
> = {
  'OpenAI Responses': {
    provider: 'openai',
    ask: (workspace, url, isStreamed) =>
      forOpenAI(workspace, { model: 'gpt-5.4' }).run(openai(url), {
        input: [question],
        ...(isStreamed && { onEvent: () => {} }),
      }),
  },
  'Chat Completions': {
    provider: 'openai',
    ask: (workspace, url, isStreamed) =>
      forChatCompletions(workspace).run(openai(url), {
        model: 'gpt-5.4',
        messages: [question],
        ...(isStreamed && { onChunk: () => {} }),
      }),
  },
  Anthropic: {
    provider: 'anthropic',
    ask: (workspace, url, isStreamed) =>
      forAnthropic(workspace, { model: 'claude-opus-4-8' }).run(
        new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 }),
        { messages: [question], max_tokens: 99, ...(isStreamed && { onEvent: () => {} }) },
      ),
  },
  'AI SDK, OpenAI': {
    provider: 'openai',
    ask: (workspace, url, isStreamed) =>
      settled(
        createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).responses('gpt-5.4'),
        workspace,
        isStreamed,
      ),
  },
  'AI SDK, Anthropic': {
    provider: 'anthropic',
    ask: (workspace, url, isStreamed) =>
      settled(
        createAnthropic({ apiKey: 'k', baseURL: `${url}/v1` })('claude-opus-4-8'),
        workspace,
        isStreamed,
      ),
  },
}

const rows = Object.entries(WIRES).flatMap(([name, wire]) =>
  [false, true].map((isStreamed) => ({ name, isStreamed, ...wire })),
)

const USAGE = { input: 3000, cached: 1024, written: 512, output: 40, reasoning: 8 }

test.each(rows)(
  '$name, streamed: $isStreamed: the tokens that the provider counts are in the log and in the ledger',
  async ({ provider, ask, isStreamed }) => {
    const server = await openWireServer({ answers: [{ text: 'Hello.', usage: USAGE }] })
    onTestFinished(() => server.close())
    const workspace = await aWorkspace({ tools: [aTool('clock')] }, { provider })
    onTestFinished(() => workspace.close())
    await ask(workspace, server.url, isStreamed)
    expect(server.violations).toEqual([])
    const reports = (await workspace.entries()).filter(
      ({ event }) => event.type === 'step.reported',
    )
    expect(reports.map(({ event }) => event)).toMatchObject([{ step: 1, usage: USAGE }])
    const { cost } = workspace.state
    const predicted = { input: cost && requestTokens(cost), cached: 0 }
    expect(workspace.figures.ledger().reported).toMatchObject({
      steps: 1,
      total: USAGE,
      predicted,
      last: { step: 1, predicted, reported: USAGE },
    })
    // Nobody sent a part of it before, in this session.
    const { steps } = await workspace.figures.usage()
    expect(steps).toMatchObject([
      { deviation: { kind: 'earlier-request', expected: 0, cached: 1024 } },
    ])
  },
)

const missed = { type: 'tools_changed', cache_missed_input_tokens: 900 }

test('Anthropic is asked for a diagnosis of its cache by option, and its answer is in the log', async () => {
  const server = await openWireServer({ answers: ['One.', { text: 'Two.', diagnosis: missed }] })
  onTestFinished(() => server.close())
  const workspace = await aWorkspace({ tools: [aTool('clock')] }, { provider: 'anthropic' })
  onTestFinished(() => workspace.close())
  const anthropic = forAnthropic(workspace, { model: 'claude-opus-4-8', diagnostics: true })
  const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 })
  const messages: BetaMessageParam[] = [question]
  await anthropic.run(client, { messages, max_tokens: 99 })
  await anthropic.run(client, { messages: [...messages, question], max_tokens: 99 })
  const asked = server.requests.map(({ body }) => body['diagnostics'])
  expect(asked).toEqual([{ previous_message_id: null }, { previous_message_id: 'msg_1' }])
  expect(server.violations).toEqual([])
  expect((await workspace.entries()).at(-1)?.event).toMatchObject({
    type: 'step.reported',
    diagnosis: { reason: 'tools_changed', missed: 900 },
  })
})

test('OpenAI is asked for a diagnosis of its cache by option, next to the options of the host', async () => {
  const diagnosis = { type: 'cache_miss', reason: 'input_changed', cache_missed_tokens: 7 }
  const server = await openWireServer({ answers: ['One.', { text: 'Two.', diagnosis }] })
  onTestFinished(() => server.close())
  const workspace = await aWorkspace({ tools: [aTool('clock')] }, { provider: 'openai' })
  onTestFinished(() => workspace.close())
  const conversation = forOpenAI(workspace, { model: 'gpt-5.6', diagnostics: true })
  const input: ResponseInputItem[] = [question]
  const more = { prompt_cache_options: { ttl: '30m' as const } }
  await conversation.run(openai(server.url), { input, ...more })
  await conversation.run(openai(server.url), { input: [...input, question], ...more })
  const asked = server.requests.map(({ body }) => body['prompt_cache_options'])
  expect(asked).toEqual([{ ttl: '30m' }, { ttl: '30m', comparison_response_id: 'resp_1' }])
  expect(server.violations).toEqual([])
  expect((await workspace.entries()).at(-1)?.event).toMatchObject({
    type: 'step.reported',
    diagnosis: { reason: 'input_changed', missed: 7 },
  })
})

test('the answer that is given again is counted once, and a report of a host counts as one of an adapter', async () => {
  const workspace = await aWorkspace({ tools: [aTool('clock')] }, { provider: 'openai' })
  onTestFinished(() => workspace.close())
  await workspace.beginStep()
  const usage = { input: 10, cached: 0, output: 2 }
  await workspace.figures.report({ usage })
  const { seq } = workspace.state
  expect(await workspace.figures.report({ usage })).toMatchObject({ ok: true, seq })
  expect(workspace.figures.ledger().reported).toMatchObject({ steps: 1, total: { input: 10 } })
  await expect(workspace.figures.report({ usage: { input: '10' } } as never)).rejects.toMatchObject(
    {
      code: 'OPTIONS_INVALID',
    },
  )
})
