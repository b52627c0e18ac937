import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkResponse } from '../check-response.ts'
import { goodRequest } from '../faults/good-requests.ts'
import { WIRES } from '../wire.ts'
import type { ModelAnswer } from './answer.ts'
import { openWireServer, WIRE_FORMS, type WireServer } from './open-wire-server.ts'

/** Texts with every kind of character; providers send no empty ones. */
const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })

const answers: fc.Arbitrary<ModelAnswer> = fc.record(
  {
    thinking: words,
    text: words,
    calls: fc.array(
      fc.record({
        name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
        input: fc.dictionary(words, fc.jsonValue({ maxDepth: 3 })),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['text'] },
)

test('no answer of the server is against the types or the rules', async () => {
  await fc.assert(
    fc.asyncProperty(
      answers,
      fc.constantFrom(...WIRES),
      fc.boolean(),
      async (answer, wire, streamed) => {
        const form = WIRE_FORMS[wire]
        const context = { wire, body: goodRequest(wire).body, number: 1 }
        const sent = streamed ? form.events(answer, context) : form.response(answer, context)
        expect(await checkResponse(goodRequest(wire), sent)).toEqual([])
      },
    ),
    { numRuns: 200 },
  )
})

let next: ModelAnswer = {}

let server: WireServer

beforeAll(async () => {
  server = await openWireServer({ answers: () => next })
})

afterAll(() => server.close())

test('the official clients read from a stream what was written', async () => {
  const openAi = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` })
  const anthropic = new Anthropic({ apiKey: 'k', baseURL: server.url })
  const hello = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] }
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      next = answer
      const calls = (answer.calls ?? []).map(({ name, input }) => [name, JSON.stringify(input)])
      const wanted = [answer.text, ...calls]
      const { output, output_text } = await openAi.responses
        .stream({ model: 'm', input: 'hello' })
        .finalResponse()
      const called = output.flatMap((item) =>
        item.type === 'function_call' ? [[item.name, item.arguments]] : [],
      )
      expect([output_text, ...called]).toEqual(wanted)
      const completion = await openAi.chat.completions.stream(hello).finalChatCompletion()
      const message = completion.choices[0]?.message
      const asked = (message?.tool_calls ?? []).flatMap((call) =>
        call.type === 'function' ? [[call.function.name, call.function.arguments]] : [],
      )
      expect([message?.content, ...asked]).toEqual(wanted)
      const { content } = await anthropic.messages
        .stream({ ...hello, max_tokens: 9 })
        .finalMessage()
      expect(
        content.flatMap((block): readonly (string | string[])[] => {
          if (block.type === 'text') return [block.text]
          return block.type === 'tool_use' ? [[block.name, JSON.stringify(block.input)]] : []
        }),
      ).toEqual(wanted)
    }),
    { numRuns: 25 },
  )
  expect(server.violations).toEqual([])
  console.log(server.checked)
})
