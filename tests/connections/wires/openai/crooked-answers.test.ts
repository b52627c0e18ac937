import fc from 'fast-check'
import type {
  ChatCompletion,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions'
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses'
import { createCatalog, defineTool } from 'loadout'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkRequest, NOTHING_EARLIER } from '../../../wires/check-request.ts'
import type { Wire } from '../../../wires/wire.ts'
import { openShop } from './a-shop.ts'

/** Arguments as they come: JSON, half of it, other text, or no text at all. */
const given = fc.oneof(
  fc.constantFrom('{"x":1}', '{"x":', '', '{}{}', 'null', '[object Object]', '[1]'),
  fc.string(),
)

const name = fc.oneof(fc.constantFrom('add', 'add', 'ad', ''), fc.string())

const id = fc.constantFrom('a', 'b', '', 'used', 'x'.repeat(60))

async function openAdder() {
  const ran: unknown[] = []
  const add = defineTool({
    name: 'add',
    description: 'Add.',
    inputSchema: z.object({ x: z.number().optional() }),
    execute: (input) => {
      ran.push(input)
      return 'added'
    },
  })
  const catalog = await createCatalog({ tools: [add] })
  return { workspace: await openShop([], { catalog, agent: undefined as never }), ran }
}

async function violationsOf(wire: Wire, body: object): Promise<readonly string[]> {
  const model = { model: 'gpt-5.4', ...body }
  const request = { wire, body: model, betas: [], earlier: NOTHING_EARLIER }
  return (await checkRequest(request)).map(({ check, message }) => `${check}: ${message}`)
}

test('whatever a compatible server answers, the next request is valid and nothing runs twice', async () => {
  const call = fc.record(
    {
      id,
      type: fc.constant('function'),
      function: fc.record(
        { name, arguments: fc.oneof(given, fc.constant({ x: 1 }), fc.constant(null)) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['type'] },
  )
  const finish = fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter', 'eos', null)
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 4 }), finish, async (tool_calls, reason) => {
      const { workspace, ran } = await openAdder()
      const chat = forChatCompletions(workspace)
      const messages: ChatCompletionMessageParam[] = [
        { role: 'user', content: 'Add.' },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'used', type: 'function', function: { name: 'add', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'used', content: 'added' },
      ]
      await chat.next(messages)
      const message = { role: 'assistant', content: null, tool_calls }
      const completion = {
        choices: [{ message, finish_reason: reason }],
      } as unknown as ChatCompletion
      const { items, status, calls } = await chat.answer(completion)
      const count = ran.length
      expect((await chat.answer(structuredClone(completion))).items).toEqual(items)
      expect(ran).toHaveLength(count)
      expect(status === 'failed' ? [0, 0] : [calls.length, items.length]).toEqual(
        status === 'failed'
          ? [items.length, count]
          : [tool_calls.length, tool_calls.length === 0 ? 0 : 1 + tool_calls.length],
      )
      messages.push(...items)
      expect(await violationsOf('openai-chat', await chat.next(messages))).toEqual([])
      await workspace.close()
    }),
    { numRuns: 60 },
  )
})

test('whatever items a response has, the next request is valid and nothing runs twice', async () => {
  const status = fc.constantFrom('completed', 'incomplete')
  const item = fc.oneof(
    fc.record({
      type: fc.constant('function_call'),
      id: fc.constantFrom('fc_1', 'fc_2'),
      call_id: id,
      name,
      arguments: given,
      status,
    }),
    fc.record({
      type: fc.constant('reasoning'),
      id: fc.constant('rs_1'),
      summary: fc.constant([]),
    }),
    fc.constant({
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hm.', annotations: [] }],
    }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 5 }),
      status,
      fc.boolean(),
      async (output, state, store) => {
        const { workspace, ran } = await openAdder()
        const conversation = forOpenAI(workspace, { model: 'gpt-5.4', ...(!store && { store }) })
        const input: ResponseInputItem[] = [
          { role: 'user', content: 'Add.' },
          { type: 'function_call', call_id: 'used', name: 'add', arguments: '{}' },
          { type: 'function_call_output', call_id: 'used', output: 'added' },
        ]
        await conversation.next(input)
        const response = { status: state, output } as unknown as Response
        const { items } = await conversation.answer(response)
        const count = ran.length
        expect((await conversation.answer(structuredClone(response))).items).toEqual(items)
        expect(ran).toHaveLength(count)
        input.push(...items)
        input.push({ role: 'user', content: 'And?' })
        expect(await violationsOf('openai-responses', await conversation.next(input))).toEqual([])
        await workspace.close()
      },
    ),
    { numRuns: 60 },
  )
})
