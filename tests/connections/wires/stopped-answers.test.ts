import { Anthropic } from '@anthropic-ai/sdk'
import { generateText, isStepCount, type LanguageModel, type ModelMessage, streamText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createCatalog, createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { RawAnswer } from '../../wires/server/answer.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

type Json = Readonly<Record<string, unknown>>

/** A session on a log of its own, which another process can resume, and the orders that its tool found. */
async function aSession(asks = false) {
  const ran: string[] = []
  const find = defineTool({
    name: 'find',
    description: 'Find an order.',
    category: 'action',
    requiresConfirmation: asks,
    inputSchema: z.object({ order: z.string() }),
    execute: ({ order }) => {
      ran.push(order)
      return { order, found: true }
    },
  })
  const catalog = await createCatalog({ tools: [find] })
  const log = createMemoryLog()
  const open = async () => {
    const workspace = await VirtualWorkspace.open({ catalog, log, session: 's' })
    onTestFinished(() => workspace.close())
    return workspace
  }
  return { ran, open }
}

/** The refusals of calls, as a person reads them in the log. */
async function refusals(workspace: VirtualWorkspace) {
  const entries = await workspace.entries()
  return entries.flatMap(({ event, cause }) =>
    event.type === 'command.refused'
      ? [{ call: 'call' in cause ? cause.call : '', code: event.code, message: event.message }]
      : [],
  )
}

const sse = (events: readonly Json[], named: boolean): RawAnswer => ({
  raw: events.map(
    (event) =>
      `${named ? `event: ${String(event['type'])}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
  ),
})

const json = (body: Json): RawAnswer => ({
  raw: JSON.stringify(body),
  contentType: 'application/json',
})

/** Chat Completions: an answer with two calls, the second of which may be cut. */
function chatAnswer(reason: string | null, last: string, streamed: boolean): RawAnswer {
  const tool_calls = ['{"order":"7"}', last].map((given, index) => ({
    id: `c${index + 1}`,
    type: 'function',
    function: { name: 'find', arguments: given },
  }))
  const head = { id: 'x', created: 1, model: 'm' }
  if (!streamed) {
    const message = { role: 'assistant', content: null, refusal: null, tool_calls }
    const choices = [{ index: 0, finish_reason: reason, logprobs: null, message }]
    return json({ ...head, object: 'chat.completion', choices })
  }
  const chunk = (delta: Json, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish, logprobs: null }]
    return { ...head, object: 'chat.completion.chunk', choices }
  }
  const calls = tool_calls.map((call, index) => ({ ...call, index }))
  return sse([chunk({ role: 'assistant', tool_calls: calls }, null), chunk({}, reason)], false)
}

/** Responses: an answer with two complete calls. */
function responsesAnswer(status: string, reason: string | null, streamed: boolean): RawAnswer {
  const output = ['7', '8'].map((order, index) => ({
    type: 'function_call',
    id: `fc_${index + 1}`,
    call_id: `c${index + 1}`,
    name: 'find',
    arguments: JSON.stringify({ order }),
    status: 'completed',
  }))
  const head = { id: 'x', object: 'response', created_at: 1, model: 'm', error: null }
  const body = { ...head, status, incomplete_details: reason === null ? null : { reason }, output }
  if (!streamed) return json(body)
  const begun = { ...body, status: 'in_progress', incomplete_details: null, output: [] }
  return sse(
    [
      { type: 'response.created', sequence_number: 0, response: begun },
      ...output.map((item, output_index) => ({
        type: 'response.output_item.added',
        sequence_number: output_index + 1,
        output_index,
        item,
      })),
      { type: `response.${status}`, sequence_number: 9, response: body },
    ],
    true,
  )
}

/** Messages of Anthropic: an answer with two complete calls. */
function anthropicAnswer(stop_reason: string | null, streamed: boolean): RawAnswer {
  const content = ['7', '8'].map((order, index) => ({
    type: 'tool_use',
    id: `c${index + 1}`,
    name: 'find',
    input: { order },
  }))
  const usage = { input_tokens: 1, output_tokens: 1 }
  const head = { id: 'x', type: 'message', role: 'assistant', model: 'm', usage }
  if (!streamed) return json({ ...head, content, stop_reason, stop_sequence: null })
  const begun = { ...head, content: [], stop_reason: null, stop_sequence: null }
  return sse(
    [
      { type: 'message_start', message: begun },
      ...content.flatMap(({ input, ...block }, index) => [
        { type: 'content_block_start', index, content_block: { ...block, input: {} } },
        {
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
    true,
  )
}

interface Row {
  readonly wire: 'chat' | 'responses' | 'anthropic'
  /** The reason, or the status with its reason. */
  readonly end: string | null
  readonly details?: string
  /** The text of the last call. */
  readonly last?: string
  readonly status: string
  readonly ran: readonly string[]
  /** A stream has no such end. */
  readonly isWhole?: true
  /** What the log says about each call that did not run. */
  readonly says?: string
}

const BOTH = ['7', '8']

const CUT = 'The answer ended inside this call, so it was not made.'

const stopped = (by: string) => `The answer was stopped (${by}), so none of its calls was made.`

const ROWS: readonly Row[] = [
  { wire: 'chat', end: 'tool_calls', status: 'continue', ran: BOTH },
  { wire: 'chat', end: 'stop', status: 'continue', ran: BOTH },
  { wire: 'chat', end: 'function_call', status: 'continue', ran: BOTH },
  { wire: 'chat', end: 'eos', status: 'continue', ran: BOTH },
  { wire: 'chat', end: 'length', status: 'cut', ran: BOTH },
  { wire: 'chat', end: 'length', last: '{"order":"', status: 'cut', ran: ['7'], says: CUT },
  { wire: 'chat', end: 'content_filter', status: 'cut', ran: [], says: stopped('content_filter') },
  { wire: 'chat', end: 'error', status: 'failed', ran: [] },
  { wire: 'chat', end: 'abort', status: 'failed', ran: [] },
  { wire: 'responses', end: 'completed', status: 'continue', ran: BOTH },
  ...['content_filter', 'max_output_tokens', 'a_new_reason'].map((details): Row => ({
    wire: 'responses',
    end: 'incomplete',
    details,
    status: 'cut',
    ran: [],
    says: stopped(details),
  })),
  { wire: 'responses', end: 'incomplete', status: 'cut', ran: [], says: stopped('incomplete') },
  { wire: 'responses', end: 'failed', status: 'failed', ran: [] },
  { wire: 'responses', end: 'cancelled', status: 'failed', ran: [], isWhole: true },
  { wire: 'responses', end: 'queued', status: 'failed', ran: [] },
  { wire: 'responses', end: 'in_progress', status: 'failed', ran: [] },
  { wire: 'anthropic', end: 'tool_use', status: 'continue', ran: BOTH },
  { wire: 'anthropic', end: 'end_turn', status: 'continue', ran: BOTH },
  { wire: 'anthropic', end: 'stop_sequence', status: 'continue', ran: BOTH },
  { wire: 'anthropic', end: 'pause_turn', status: 'continue', ran: BOTH },
  { wire: 'anthropic', end: 'compaction', status: 'continue', ran: BOTH },
  { wire: 'anthropic', end: 'max_tokens', status: 'cut', ran: ['7'], says: CUT },
  {
    wire: 'anthropic',
    end: 'model_context_window_exceeded',
    status: 'cut',
    ran: ['7'],
    says: CUT,
  },
  { wire: 'anthropic', end: 'refusal', status: 'cut', ran: [], says: stopped('refusal') },
  { wire: 'anthropic', end: null, status: 'failed', ran: [] },
]

/** Such as `content_filter: nothing runs`. */
function titleOf({ end, details, last, ran }: Row): string {
  const how = [end ?? 'nothing', details, last && 'inside a call'].filter(Boolean).join(', ')
  return `${how}: ${ran.length === 0 ? 'nothing runs' : `${ran.length} of 2 calls run`}`
}

function runOn(wire: Row['wire'], url: string, workspace: VirtualWorkspace, history: unknown[]) {
  const openai = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })
  const watch = () => undefined
  return async (streamed: boolean, maxSteps: number): Promise<string> => {
    const messages = history as never[]
    switch (wire) {
      case 'chat': {
        const options = { model: 'm', messages, maxSteps, ...(streamed && { onChunk: watch }) }
        return (await forChatCompletions(workspace).run(openai, options)).status
      }
      case 'responses': {
        const options = { input: messages, maxSteps, ...(streamed && { onEvent: watch }) }
        return (await forOpenAI(workspace, { model: 'gpt-5.4' }).run(openai, options)).status
      }
      case 'anthropic': {
        const options = { messages, max_tokens: 99, maxSteps, ...(streamed && { onEvent: watch }) }
        const model = 'claude-opus-4-8'
        return (await forAnthropic(workspace, { model }).run(anthropic, options)).status
      }
    }
  }
}

test.each(
  ROWS.flatMap((row) =>
    (row.isWhole ? [false] : [false, true]).map((streamed) => ({
      ...row,
      streamed,
      what: titleOf(row),
    })),
  ),
)(
  '$wire: an answer that ends by $what (streamed: $streamed)',
  async ({ wire, end, details = null, last = '{"order":"8"}', streamed, ...row }) => {
    const { ran, open } = await aSession()
    const answer = {
      chat: () => chatAnswer(end, last, streamed),
      responses: () => responsesAnswer(String(end), details, streamed),
      anthropic: () => anthropicAnswer(end, streamed),
    }[wire]()
    const server = await openWireServer({ answers: [answer, 'Sorry.'] })
    onTestFinished(() => server.close())
    const history: unknown[] = [{ role: 'user', content: 'Where are my orders?' }]
    const first = await open()
    expect(await runOn(wire, server.url, first, history)(streamed, 1)).toBe(row.status)
    expect(ran).toEqual(row.ran)
    const not = row.status === 'failed' ? [] : BOTH.slice(row.ran.length)
    expect(await refusals(first)).toEqual(
      not.map((order) => ({
        call: order === '7' ? 'c1' : 'c2',
        code: 'answer-stopped',
        message: row.says,
      })),
    )
    await first.close()
    // The history that was kept is resumed elsewhere.
    const kept = JSON.parse(JSON.stringify(history)) as unknown[]
    kept.push({ role: 'user', content: 'And now?' })
    expect(await runOn(wire, server.url, await open(), kept)(false, 9)).toBe('done')
    expect(ran).toEqual(row.ran)
    expect(server.violations).toEqual([])
  },
)

test.each(['chat', 'responses', 'anthropic'] as const)(
  '%s: nobody is asked about a call of a stopped answer',
  async (wire) => {
    const { open } = await aSession(true)
    const answer = {
      chat: () => chatAnswer('content_filter', '{"order":"8"}', false),
      responses: () => responsesAnswer('incomplete', 'content_filter', false),
      anthropic: () => anthropicAnswer('refusal', false),
    }[wire]()
    const server = await openWireServer({ answers: [answer] })
    onTestFinished(() => server.close())
    const workspace = await open()
    const history = [{ role: 'user', content: 'Where are my orders?' }]
    expect(await runOn(wire, server.url, workspace, history)(false, 1)).toBe('cut')
    expect(workspace.state.confirmations).toEqual([])
  },
)

const V4_USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

const V2_USAGE = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

interface SdkRow {
  readonly version: 2 | 3 | 4
  readonly end: string
  /** The place of an error part in the stream. */
  readonly error?: 'before' | 'after'
  readonly runs?: true
  readonly by?: string
}

const SDK_ROWS: readonly SdkRow[] = [
  ...([2, 3, 4] as const).flatMap((version): SdkRow[] => [
    { version, end: 'stop', runs: true },
    { version, end: 'tool-calls', runs: true },
    ...['length', 'content-filter', 'error', 'other'].map((end) => ({ version, end })),
    { version, end: 'tool-calls', error: 'before', by: 'error' },
    { version, end: 'tool-calls', error: 'after', by: 'error' },
    { version, end: 'stop', error: 'before', by: 'error' },
  ]),
  { version: 2, end: 'unknown', by: 'other' },
  { version: 4, end: 'interrupted' },
]

/** Such as `stop, with an error before its calls: nothing runs`. */
function sdkTitleOf({ end, error, runs }: SdkRow): string {
  const failed = error === undefined ? '' : `, with an error ${error} its calls`
  return `${end}${failed}: ${runs ? 'both calls run' : 'nothing runs'}`
}

/** A model of one version of the SDK's specification whose first answer has two calls, and whose second is a text. */
function sdkModel({ version, end, error }: SdkRow) {
  let requests = 0
  const prompts: unknown[] = []
  const calls = BOTH.map((order, index) => ({
    type: 'tool-call' as const,
    toolCallId: `c${index + 1}`,
    toolName: 'find',
    input: JSON.stringify({ order }),
  }))
  const next = ({ prompt }: { readonly prompt: unknown }) => {
    prompts.push(prompt)
    requests += 1
    const isFirst = requests === 1
    const content = isFirst ? calls : [{ type: 'text' as const, text: 'Sorry.' }]
    const reason = isFirst ? end : 'stop'
    const finishReason = version === 2 ? reason : { unified: reason, raw: reason }
    const usage = version === 2 ? V2_USAGE : V4_USAGE
    return { content, finishReason, usage, warnings: [] }
  }
  const model = {
    specificationVersion: `v${version}`,
    provider: 'mock',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: async (options: never) => next(options),
    doStream: async (options: never) => {
      const { content, ...ending } = next(options)
      const isFirst = requests === 1
      const failure = isFirst && error !== undefined ? [{ type: 'error', error: BROKEN }] : []
      const parts = content.flatMap((part): object[] =>
        part.type === 'tool-call'
          ? [part]
          : [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: part.text },
              { type: 'text-end', id: 't' },
            ],
      )
      const stream = ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        ...(error === 'before' ? failure : []),
        ...parts,
        ...(error === 'after' ? failure : []),
        { type: 'finish', ...ending },
      ])
      return { stream }
    },
  }
  return { model: model as never as LanguageModel, prompts }
}

const BROKEN = new Error('A chunk that cannot be read.')

async function sdkRun(
  model: LanguageModel,
  workspace: VirtualWorkspace,
  messages: ModelMessage[],
  streamed: boolean,
) {
  const errors: unknown[] = []
  const options = {
    model,
    messages: [...messages],
    maxRetries: 0,
    stopWhen: isStepCount(5),
    onStepEnd: ({ response }: { readonly response: { readonly messages: ModelMessage[] } }) =>
      void messages.push(...response.messages),
    ...forAiSdk(workspace),
  }
  if (streamed) {
    const onError = ({ error }: { readonly error: unknown }) => void errors.push(error)
    await streamText({ ...options, onError }).consumeStream()
  } else await generateText(options)
  return errors
}

/** The calls of a prompt without a result. */
function openCalls(prompt: unknown): readonly string[] {
  const parts = (prompt as readonly { readonly content: unknown }[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as { type: string; toolCallId: string }[]) : [],
  )
  const results = new Set(
    parts.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : [])),
  )
  return parts.flatMap((part) =>
    part.type === 'tool-call' && !results.has(part.toolCallId) ? part.toolCallId : [],
  )
}

test.each(
  SDK_ROWS.flatMap((row) =>
    (row.error === undefined ? [false, true] : [true]).map((streamed) => ({
      ...row,
      streamed,
      what: sdkTitleOf(row),
    })),
  ),
)(
  'AI SDK, a model of version $version: an answer that ends by $what (streamed: $streamed)',
  async ({ streamed, ...row }) => {
    const { ran, open } = await aSession()
    const { model, prompts } = sdkModel(row)
    const messages: ModelMessage[] = [{ role: 'user', content: 'Where are my orders?' }]
    const first = await open()
    const errors = await sdkRun(model, first, messages, streamed)
    if (row.runs) {
      expect(ran).toEqual(BOTH)
      expect(await refusals(first)).toEqual([])
      return
    }
    expect(ran).toEqual([])
    expect(prompts).toHaveLength(1)
    expect(errors).toEqual(row.error === undefined ? [] : [BROKEN])
    expect(await refusals(first)).toEqual(
      ['c1', 'c2'].map((call) => ({
        call,
        code: 'answer-stopped',
        message: stopped(row.by ?? row.end),
      })),
    )
    await first.close()
    messages.push({ role: 'user', content: 'And now?' })
    await sdkRun(model, await open(), messages, false)
    expect(ran).toEqual([])
    expect(prompts).toHaveLength(2)
    expect(openCalls(prompts[1])).toEqual([])
  },
)

test('AI SDK: a stream without an end runs nothing, and the log has an entry of its calls', async () => {
  const { ran, open } = await aSession()
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"order":"7"}' }
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, call]) as never,
    }),
  })
  const workspace = await open()
  await sdkRun(model, workspace, [{ role: 'user', content: 'Where is it?' }], true)
  expect(ran).toEqual([])
  expect(await refusals(workspace)).toMatchObject([{ call: 'c1', code: 'answer-stopped' }])
})

test.each([
  { what: 'an error before it', end: 'tool-calls', error: 'before', streamed: true },
  { what: 'an error after it', end: 'tool-calls', error: 'after', streamed: true },
  { what: 'a filter, streamed', end: 'content-filter', streamed: true },
  { what: 'a filter', end: 'content-filter', streamed: false },
] as const)(
  'AI SDK: a yes to a question about a call of a stopped answer runs nothing ($what)',
  async ({ streamed, ...row }) => {
    const { ran, open } = await aSession(true)
    const { model } = sdkModel({ version: 4, ...row })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Where are my orders?' }]
    const workspace = await open()
    await sdkRun(model, workspace, messages, streamed)
    expect(workspace.state.confirmations.filter(({ consent }) => consent === 'pending')).toEqual([])
    const asked = messages.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part) => (part.type === 'tool-approval-request' ? part.approvalId : [])),
    )
    const approved = asked.map((approvalId) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved: true,
    }))
    if (approved.length > 0) messages.push({ role: 'tool', content: approved })
    else messages.push({ role: 'user', content: 'And now?' })
    await sdkRun(model, workspace, messages, false)
    expect(ran).toEqual([])
  },
)
