import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, type LanguageModel, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { checkResponse } from '../check-response.ts'
import { NOTHING_EARLIER } from '../check-request.ts'
import { openWireServer } from '../server/open-wire-server.ts'
import { answerOf, type ChatStream, CROOKED_STREAMS, STRAIGHT_STREAM } from './chat-streams.ts'

const STREAMS = [STRAIGHT_STREAM, ...CROOKED_STREAMS]

/** Returns what a client makes of a stream, in one line. */
type Reader = (url: string) => Promise<string>

const readByOpenAi: Reader = async (url) => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })
  const tools = [
    { type: 'function' as const, function: { name: 'add', parameters: { type: 'object' } } },
  ]
  const messages = [{ role: 'user' as const, content: 'Add.' }]
  const completion = await client.chat.completions
    .stream({ model: 'local', messages, tools })
    .finalChatCompletion()
  const choice = completion.choices[0]
  const calls = (choice?.message.tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? `${idOf(call.id)} ${call.function.name}(${call.function.arguments})`
      : '',
  )
  return [`${choice?.finish_reason}:`, ...calls, textOf(choice?.message.content)].join(' ').trim()
}

const readByAiSdk =
  (model: (url: string) => LanguageModel): Reader =>
  async (url) => {
    const ran: unknown[] = []
    const errors: unknown[] = []
    const result = streamText({
      model: model(url),
      prompt: 'Add.',
      maxRetries: 0,
      onError: ({ error }) => {
        errors.push(error)
      },
      tools: {
        add: tool({
          inputSchema: jsonSchema({ type: 'object' }),
          execute: (input) => {
            ran.push(input)
            return 'added'
          },
        }),
      },
    })
    const calls = (await result.toolCalls).map(
      ({ toolCallId, toolName, input, invalid }) =>
        `${idOf(toolCallId)} ${toolName}(${typeof input === 'string' ? `text ${input}` : JSON.stringify(input)})${invalid === true ? ' invalid' : ''}`,
    )
    const reasoning = await result.finalStep.then(({ reasoningText }) => reasoningText)
    return [
      `${await result.finishReason}:`,
      ...calls,
      textOf(await result.text),
      textOf(reasoning),
      `ran ${ran.length}`,
      ...(errors.length > 0 ? ['error'] : []),
    ]
      .filter((word) => word !== '')
      .join(' ')
  }

/** Ids that the server gave are shown; those that a client makes are not. */
const idOf = (id: string) => (/^(call_[ab])?$/.test(id) ? (id === '' ? 'no-id' : id) : 'new-id')

const textOf = (text: string | null | undefined) => (text ? JSON.stringify(text) : '')

const CLIENTS: Readonly<Record<string, Reader>> = {
  openai: readByOpenAi,
  '@ai-sdk/openai-compatible': readByAiSdk((url) =>
    createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` })('local'),
  ),
  '@ai-sdk/openai': readByAiSdk((url) =>
    createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).chat('local'),
  ),
}

async function outcome(read: Reader, stream: ChatStream): Promise<string> {
  const server = await openWireServer({ answers: [answerOf(stream)] })
  try {
    return await read(server.url)
  } catch (error) {
    return `throws ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`
  } finally {
    await server.close()
  }
}

test('streams as their clients read them', async () => {
  const lines: string[] = []
  for (const stream of STREAMS) {
    lines.push(`${stream.quirk} (${stream.name})`)
    for (const [client, read] of Object.entries(CLIENTS)) {
      lines.push(`  ${client}: ${await outcome(read, stream)}`)
    }
  }
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "Nothing is odd. (straight)
      openai: tool_calls: call_a add({"x":1})
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) ran 1
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) ran 1
    The call comes whole in one delta. (ollama/ollama#11633)
      openai: tool_calls: call_a add({"x":1})
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) ran 1
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) ran 1
    It finishes by "stop" although there is a call. (googleapis/python-genai#2868)
      openai: stop: call_a add({"x":1})
      @ai-sdk/openai-compatible: stop: call_a add({"x":1}) ran 1
      @ai-sdk/openai: stop: call_a add({"x":1}) ran 1
    The call has no id. (vllm-project/vllm#18412)
      openai: tool_calls: new-id add({"x":1})
      @ai-sdk/openai-compatible: tool-calls: new-id add({"x":1}) ran 1
      @ai-sdk/openai: tool-calls: new-id add({"x":1}) ran 1
    The id and the name are empty in later deltas. (anomalyco/opencode#37841)
      openai: tool_calls: call_a add({"x":1})
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) ran 1
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) ran 1
    The call has no index. (ollama/ollama#7881)
      openai: throws Chat completion stream contains an invalid tool call index: undefined
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) ran 1
      @ai-sdk/openai: tool-calls: ran 0 error
    Two calls have the index 0. (ollama/ollama#15457)
      openai: tool_calls: call_b add({"x":1}{"x":2})
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) call_b add({"x":2}) ran 2
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) call_b add({"x":2}) ran 2
    Two calls have one id. (HKUDS/nanobot#3943)
      openai: tool_calls: call_a add({"x":1}) call_a add({"x":2})
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) new-id add({"x":2}) ran 2
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) new-id add({"x":2}) ran 2
    The arguments are an object. (BerriAI/litellm#37792)
      openai: tool_calls: call_a add([object Object])
      @ai-sdk/openai-compatible: tool-calls: ran 0 error
      @ai-sdk/openai: tool-calls: ran 0 error
    The arguments are empty. (vercel/ai#6687)
      openai: tool_calls: call_a add()
      @ai-sdk/openai-compatible: tool-calls: call_a add({}) ran 1
      @ai-sdk/openai: tool-calls: call_a add({}) ran 1
    The name of the tool is split over two deltas. (continuedev/continue#5849)
      openai: tool_calls: call_a d({"x":1})
      @ai-sdk/openai-compatible: tool-calls: call_a ad(text ) invalid new-id d({"x":1}) invalid ran 0
      @ai-sdk/openai: tool-calls: call_a ad(text ) invalid new-id d({"x":1}) invalid ran 0
    No delta has a role. (langwatch/langwatch#6196)
      openai: throws missing role for choice 0
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) ran 1
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) ran 1
    It does not end with [DONE]. (ikawrakow/ik_llama.cpp#467)
      openai: tool_calls: call_a add({"x":1})
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) ran 1
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) ran 1
    It ends in the middle of the arguments. (CommandCodeAI/command-code#785)
      openai: throws missing finish_reason for choice 0
      @ai-sdk/openai-compatible: error: call_a add(text {"x":) invalid ran 0 error
      @ai-sdk/openai: interrupted: call_a add(text {"x":) invalid ran 0
    The call is written as text. (ollama/ollama#6390)
      openai: stop: "<tool_call>\\n{\\"name\\": \\"add\\", \\"arguments\\": {\\"x\\": 1}}\\n</tool_call>"
      @ai-sdk/openai-compatible: stop: "<tool_call>\\n{\\"name\\": \\"add\\", \\"arguments\\": {\\"x\\": 1}}\\n</tool_call>" ran 0
      @ai-sdk/openai: stop: "<tool_call>\\n{\\"name\\": \\"add\\", \\"arguments\\": {\\"x\\": 1}}\\n</tool_call>" ran 0
    There is reasoning_content, which the wire of OpenAI does not have. (openai/openai-agents-python#578)
      openai: tool_calls: call_a add({"x":1})
      @ai-sdk/openai-compatible: tool-calls: call_a add({"x":1}) "One is enough." ran 1
      @ai-sdk/openai: tool-calls: call_a add({"x":1}) ran 1
    An error comes within the stream. (vercel/ai#13506)
      openai: throws Context length exceeded
      @ai-sdk/openai-compatible: error: call_a add({}) ran 0 error
      @ai-sdk/openai: error: call_a add({}) ran 0 error"
  `)
})

test('each crooked stream has an issue of its own', () => {
  expect(CROOKED_STREAMS).toHaveLength(16)
  expect(new Set(CROOKED_STREAMS.map(({ issue }) => issue)).size).toBe(16)
})

test('the rules for answers accept the straight stream', async () => {
  const raw = [answerOf(STRAIGHT_STREAM).raw].flat()
  const events = raw.map((line) => {
    const text = line.replace(/^data: /, '').trim()
    return { data: text === '[DONE]' ? ('[DONE]' as const) : JSON.parse(text) }
  })
  const request = { wire: 'openai-chat', body: {}, betas: [], earlier: NOTHING_EARLIER } as const
  expect(await checkResponse(request, events)).toEqual([])
})
