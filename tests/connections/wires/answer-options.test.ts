import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog, defineTool, VirtualWorkspace } from '../../../src/entries/index.ts'
import { forChatCompletions } from '../../../src/entries/openai.ts'

/** An agent that pays, and what was noticed of its calls. */
async function open() {
  const seen: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ sum: z.number() }),
    requiresConfirmation: true,
    execute: ({ sum }, { services, progress }) => {
      progress({ message: 'half' })
      return `${sum} from ${JSON.stringify(services)}`
    },
  })
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [pay] }) })
  const options = {
    services: { till: 1 },
    onStart: () => void seen.push('start'),
    onProgress: ({ message }: { message?: string }) => void seen.push(message ?? ''),
    onEnd: () => void seen.push('end'),
    approve: ({ tool }: { tool: string }) => (seen.push(`asks about ${tool}`), true),
  }
  return { workspace, seen, options, chat: forChatCompletions(workspace) }
}

const called = (sum: number) =>
  ({
    id: 'x',
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `c${sum}`,
              type: 'function',
              function: { name: 'pay', arguments: JSON.stringify({ sum }) },
            },
          ],
        },
      },
    ],
  }) as never

const done = {
  id: 'y',
  choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'Paid.' } }],
} as never

test('a loop answers questions and watches calls by the options of answer', async () => {
  const { workspace, seen, options, chat } = await open()
  await chat.next([{ role: 'user', content: 'Pay 7.' }])
  const { status, items, waiting } = await chat.answer(called(7), options)
  expect([status, waiting]).toEqual(['continue', []])
  expect(items.at(-1)).toMatchObject({ role: 'tool', content: '7 from {"till":1}' })
  expect(seen).toEqual(['asks about pay', 'start', 'half', 'end'])
  await workspace.close()
})

test('a run takes the same options, and sends none of them', async () => {
  const { workspace, seen, options, chat } = await open()
  const bodies: object[] = []
  const answers = [called(7), called(8), done]
  const create = async (body: object) => (bodies.push(body), answers.shift() as never)
  const run = await chat.run({ chat: { completions: { create } } } as never, {
    model: 'gpt-5.4',
    messages: [{ role: 'user', content: 'Pay 7 and 8.' }],
    ...options,
  })
  expect(run.status).toBe('done')
  expect(seen.filter((one) => one === 'asks about pay')).toHaveLength(2)
  expect(new Set(bodies.flatMap((body) => Object.keys(body)))).toEqual(
    new Set(['model', 'tools', 'messages']),
  )
  await workspace.close()
})

test('a no of the person is the result of the call', async () => {
  const { workspace, options, chat } = await open()
  await chat.next([{ role: 'user', content: 'Pay 7.' }])
  const { items } = await chat.answer(called(7), {
    ...options,
    approve: () => ({ approved: false, reason: 'Not today.' }),
  })
  expect(items.at(-1)).toMatchObject({ content: expect.stringContaining('Not today.') })
  await workspace.close()
})
