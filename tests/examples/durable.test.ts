import { generateText, simulateStreamingMiddleware, streamText, tool, wrapLanguageModel } from 'ai'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { savedAnswer } from '../../examples/durable/saved-answer.ts'
import { scriptedModel } from '../../examples/durable/scripted-model.ts'

test('the example of durable steps makes every step twice, and pays each order back once', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/durable/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "step 1: 3 messages, 1 calls recorded
    step 2: 5 messages, 2 calls recorded
    step 3: 7 messages, 3 calls recorded
    step 4: 8 messages, 3 calls recorded
    Both orders were paid back.
    paid: 7, 8"
  `)
})

test('a model that is asked again gives other ids; its saved answer has the same, also streamed, and of two the first counts', async () => {
  const stored = new Map<string, string>()
  const answers = {
    get: async (step: string) => stored.get(step),
    add: async (step: string, answer: string) => {
      if (!stored.has(step)) stored.set(step, answer)
      return stored.get(step) ?? ''
    },
  }
  const scripted = scriptedModel([{ tool: 'refund', input: { order: '7' } }])
  const request = {
    prompt: 'Pay order 7 back.',
    tools: {
      refund: tool({ inputSchema: z.object({ order: z.string() }), execute: () => 'paid' }),
    },
  }
  const asked = async (model: Parameters<typeof generateText>[0]['model']) =>
    (await generateText({ model, ...request })).toolCalls.map(({ toolCallId }) => toolCallId)
  expect(await asked(scripted)).not.toEqual(await asked(scripted))

  const saving = savedAnswer(answers, '1')
  const model = wrapLanguageModel({ model: scripted, middleware: saving })
  const [one, other] = await Promise.all([asked(model), asked(model)])
  expect(one).toHaveLength(1)
  expect(other).toEqual(one)
  expect(await asked(model)).toEqual(one)
  const middleware = [simulateStreamingMiddleware(), saving]
  const streamed = streamText({
    model: wrapLanguageModel({ model: scripted, middleware }),
    ...request,
  })
  expect((await streamed.toolCalls).map(({ toolCallId }) => toolCallId)).toEqual(one)
})
