import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isStepCount, type LanguageModel, type ModelMessage, streamText } from 'ai'
import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import {
  answerOf,
  type ChatStream,
  CROOKED_STREAMS,
  STRAIGHT_STREAM,
} from '../../../wires/streams/chat-streams.ts'

/** Streams one answer through the adapter, then makes a second turn. Returns the outcome in one line. */
async function outcomeOf(stream: ChatStream, model: (url: string) => LanguageModel) {
  const ran: unknown[] = []
  const add = defineTool({
    name: 'add',
    description: 'Add to the sum.',
    category: 'action',
    inputSchema: z.object({ x: z.number().optional() }),
    execute: (input) => {
      ran.push(input)
      return 'added'
    },
  })
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [add] }) })
  const answers = [answerOf(stream), 'Done.', 'Done.']
  const server = await openWireServer({ answers: ({ index }) => answers[index] ?? 'Done.' })
  const errors: unknown[] = []
  const messages: ModelMessage[] = []
  const turn = async (content: string) => {
    messages.push({ role: 'user', content })
    const result = streamText({
      model: model(`${server.url}/v1`),
      messages,
      maxRetries: 0,
      stopWhen: isStepCount(2),
      onError: ({ error }) => void errors.push(error),
      ...forAiSdk(workspace),
    })
    await result.consumeStream()
    if (errors.length === 0) messages.push(...(await result.responseMessages))
  }
  await turn('Add.')
  const failed = errors.length > 0
  errors.length = 0
  await turn('Again.')
  expect(errors).toEqual([])
  await server.close()
  // The SDK sends reasoning back in the member in which it came, which the wire of OpenAI does not have.
  const isReasoning = ({ message }: { readonly message: string }) =>
    message.endsWith('/reasoning_content is not known here')
  expect(server.violations.filter((one) => !isReasoning(one))).toEqual([])
  const entries = await workspace.entries()
  const refused = entries.flatMap(({ event }) =>
    event.type === 'command.refused' ? `${event.subject} refused: ${event.code}` : [],
  )
  const started = entries.filter(({ event }) => event.type === 'call.started')
  expect(started).toHaveLength(ran.length)
  return (
    [
      ...(failed ? ['error'] : []),
      ...ran.map((input) => `ran ${JSON.stringify(input)}`),
      ...refused,
    ].join(', ') || 'text'
  )
}

/** The outcomes of all streams with a provider of the SDK, one in a line. */
async function outcomes(model: (url: string) => LanguageModel): Promise<string> {
  const lines: string[] = []
  for (const stream of [STRAIGHT_STREAM, ...CROOKED_STREAMS]) {
    lines.push(`${stream.quirk} (${stream.name}): ${await outcomeOf(stream, model)}`)
  }
  return lines.join('\n')
}

test('each crooked stream has its outcome, no broken one runs a call, and the next request is valid', async () => {
  const compatible = (baseURL: string) =>
    createOpenAICompatible({ name: 'local', baseURL })('local')
  expect(await outcomes(compatible)).toMatchInlineSnapshot(`
    "Nothing is odd. (straight): ran {"x":1}
    The call comes whole in one delta. (ollama/ollama#11633): ran {"x":1}
    It finishes by "stop" although there is a call. (googleapis/python-genai#2868): ran {"x":1}
    The call has no id. (vllm-project/vllm#18412): ran {"x":1}
    The id and the name are empty in later deltas. (anomalyco/opencode#37841): ran {"x":1}
    The call has no index. (ollama/ollama#7881): ran {"x":1}
    Two calls have the index 0. (ollama/ollama#15457): ran {"x":1}, ran {"x":2}
    Two calls have one id. (HKUDS/nanobot#3943): ran {"x":1}, ran {"x":2}
    The arguments are an object. (BerriAI/litellm#37792): error
    The arguments are empty. (vercel/ai#6687): ran {}
    The name of the tool is split over two deltas. (continuedev/continue#5849): ad refused: unknown, d refused: unknown
    No delta has a role. (langwatch/langwatch#6196): ran {"x":1}
    It does not end with [DONE]. (ikawrakow/ik_llama.cpp#467): ran {"x":1}
    It ends in the middle of the arguments. (CommandCodeAI/command-code#785): error, add refused: answer-stopped
    The call is written as text. (ollama/ollama#6390): text
    There is reasoning_content, which the wire of OpenAI does not have. (openai/openai-agents-python#578): ran {"x":1}
    An error comes within the stream. (vercel/ai#13506): error, add refused: answer-stopped"
  `)
})

test('the provider of OpenAI makes other outcomes of some, and runs no call of a broken stream either', async () => {
  const chat = (baseURL: string) => createOpenAI({ apiKey: 'k', baseURL }).chat('local')
  expect(await outcomes(chat)).toMatchInlineSnapshot(`
    "Nothing is odd. (straight): ran {"x":1}
    The call comes whole in one delta. (ollama/ollama#11633): ran {"x":1}
    It finishes by "stop" although there is a call. (googleapis/python-genai#2868): ran {"x":1}
    The call has no id. (vllm-project/vllm#18412): ran {"x":1}
    The id and the name are empty in later deltas. (anomalyco/opencode#37841): ran {"x":1}
    The call has no index. (ollama/ollama#7881): error
    Two calls have the index 0. (ollama/ollama#15457): ran {"x":1}, ran {"x":2}
    Two calls have one id. (HKUDS/nanobot#3943): ran {"x":1}, ran {"x":2}
    The arguments are an object. (BerriAI/litellm#37792): error
    The arguments are empty. (vercel/ai#6687): ran {}
    The name of the tool is split over two deltas. (continuedev/continue#5849): ad refused: unknown, d refused: unknown
    No delta has a role. (langwatch/langwatch#6196): ran {"x":1}
    It does not end with [DONE]. (ikawrakow/ik_llama.cpp#467): ran {"x":1}
    It ends in the middle of the arguments. (CommandCodeAI/command-code#785): add refused: answer-stopped
    The call is written as text. (ollama/ollama#6390): text
    There is reasoning_content, which the wire of OpenAI does not have. (openai/openai-agents-python#578): ran {"x":1}
    An error comes within the stream. (vercel/ai#13506): error, add refused: answer-stopped"
  `)
})
