import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, ToolLoopAgent } from 'ai'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { forOpenAI } from 'loadout/openai'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openModel } from './a-shop.ts'

const caller = { type: 'program', caller_id: 'prog_1' }

const itemCall = (id: string, sku: string) => ({
  id: `fc_${id}`,
  type: 'function_call',
  call_id: id,
  name: 'stock',
  arguments: JSON.stringify({ sku }),
  status: 'completed',
  caller,
})

/** A program of the provider that calls two tools, then the answer. */
const answers = [
  {
    items: [
      { id: 'pr_1', type: 'program', call_id: 'prog_1', code: '…', fingerprint: 'f' },
      itemCall('c1', 'a'),
      itemCall('c2', 'b'),
    ],
    stop: 'calls' as const,
  },
  {
    items: [
      {
        id: 'po_1',
        type: 'program_output',
        call_id: 'prog_1',
        result: '3',
        status: 'completed',
      },
    ],
    text: 'Three are left.',
  },
  'You are welcome.',
]

async function aStore() {
  const asked: string[] = []
  const stock = defineTool({
    name: 'stock',
    description: 'Count what is left.',
    category: 'retrieval',
    inputSchema: z.object({ sku: z.string() }),
    outputSchema: z.object({ left: z.number() }),
    providerOptions: { openai: { allowedCallers: ['programmatic'] } },
    execute: async ({ sku }) => {
      asked.push(sku)
      // What comes while the program waits is no news for the program.
      if (sku === 'b') await workspace.activateSkill('orders')
      return { left: 3 }
    },
  })
  const order = defineTool({ name: 'order', description: 'Order more.', execute: () => 'ordered' })
  const skills = [
    defineSkill({
      name: 'orders',
      description: 'Orders.',
      instructions: 'Order twice a week.',
      tools: [order],
    }),
  ]
  const catalog = await createCatalog({ skills, tools: [stock] })
  const workspace = await VirtualWorkspace.open({ catalog, provider: 'openai' })
  onTestFinished(() => workspace.close())
  return { workspace, asked }
}

const outputs = (input: unknown) =>
  (input as ResponseInputItem[]).filter(({ type }) => type === 'function_call_output')

test('calls of a program pass the gate, and their results go back to the program and with nothing else', async () => {
  const { workspace, asked } = await aStore()
  const { client, server } = await openModel(answers)
  const openai = forOpenAI(workspace, {
    model: 'gpt-5.4',
    tools: [{ type: 'programmatic_tool_calling' }],
  })
  const input: ResponseInputItem[] = [{ role: 'user', content: 'What is left of a and b?' }]
  expect((await openai.run(client, { input })).status).toBe('done')
  input.push({ role: 'user', content: 'Thanks.' })
  await openai.run(client, { input })
  expect(server.violations).toEqual([])
  expect(asked).toEqual(['a', 'b'])
  const bodies = server.requests.map(({ body }) => body)
  expect(bodies[0]?.['tools']).toContainEqual(
    expect.objectContaining({
      name: 'stock',
      allowed_callers: ['programmatic'],
      output_schema: expect.objectContaining({ type: 'object' }),
    }),
  )
  expect(outputs(bodies[1]?.['input'])).toEqual([
    { type: 'function_call_output', call_id: 'c1', output: '{"left":3}', caller },
    { type: 'function_call_output', call_id: 'c2', output: '{"left":3}', caller },
  ])
  const [before, after] = [bodies[1], bodies[2]].map((body) => body?.['input'] as object[])
  expect(before?.at(-1)).toMatchObject({ type: 'function_call_output' })
  expect(JSON.stringify(after?.slice(before?.length))).toContain('Order twice a week.')
  expect(JSON.stringify(after?.slice(before?.length))).toContain('additional_tools')
})

test('a call of a program without a result gets one for the program', async () => {
  const { workspace } = await aStore()
  const { client, server } = await openModel(['Sorry.'])
  const input = [
    { role: 'user', content: 'What is left?' },
    ...(answers[0] as { items: ResponseInputItem[] }).items,
    { role: 'user', content: 'And now?' },
  ] as ResponseInputItem[]
  await forOpenAI(workspace, { model: 'gpt-5.4' }).run(client, { input })
  const sent = outputs(server.requests[0]?.body['input'])
  expect(sent).toHaveLength(2)
  for (const one of sent) expect(one).toMatchObject({ caller })
  expect(server.violations).toEqual([])
})

test('through the AI SDK, too', async () => {
  const { workspace, asked } = await aStore()
  const { server } = await openModel(answers)
  const openai = createOpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` })
  const agent = new ToolLoopAgent({
    model: openai.responses('gpt-5.4'),
    ...forAiSdk(workspace, { tools: { program: openai.tools.programmaticToolCalling() } }),
    providerOptions: { openai: { store: false } },
    stopWhen: isStepCount(4),
  })
  await agent.generate({ prompt: 'What is left of a and b?' })
  expect(asked).toEqual(['a', 'b'])
  const second = server.requests[1]?.body['input'] as object[]
  expect(outputs(second)).toEqual([
    expect.objectContaining({ call_id: 'c1', caller }),
    expect.objectContaining({ call_id: 'c2', caller }),
  ])
  expect(second.at(-1)).toMatchObject({ type: 'function_call_output' })
  expect(server.violations).toEqual([])
})
