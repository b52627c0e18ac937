import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openModel } from './a-model.ts'

const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' }

const answers = [
  {
    items: [
      {
        type: 'server_tool_use',
        id: 'srvtoolu_1',
        name: 'code_execution',
        input: { code: 'stock()' },
        caller: { type: 'direct' },
      },
      { type: 'tool_use', id: 'toolu_1', name: 'stock', input: { sku: 'a' }, caller },
    ],
    stop: 'calls' as const,
  },
  'Three are left.',
  'You are welcome.',
]

test('calls of a program pass the gate, and their results go back alone and to its container', async () => {
  const asked: string[] = []
  const stock = defineTool({
    name: 'stock',
    description: 'Count what is left.',
    inputSchema: z.object({ sku: z.string() }),
    providerOptions: { anthropic: { allowedCallers: ['code_execution_20260120'] } },
    execute: async ({ sku }) => {
      asked.push(sku)
      await workspace.activateSkill('orders')
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
  const workspace = await VirtualWorkspace.open({ catalog, provider: 'anthropic' })
  onTestFinished(() => workspace.close())
  const { client, server } = await openModel(answers)
  const anthropic = forAnthropic(workspace, {
    model: 'claude-opus-4-8',
    tools: [{ type: 'code_execution_20260120', name: 'code_execution' }],
  })
  const messages: BetaMessageParam[] = [{ role: 'user', content: 'What is left?' }]
  for (const container of [null, 'container_1', null]) {
    const { container: asks = null, ...request } = await anthropic.next(messages)
    expect(asks).toBe(container)
    const message = await client.beta.messages.create({
      model: 'claude-opus-4-8',
      max_tokens: 100,
      ...request,
    })
    const inside = { id: 'container_1', expires_at: '2027-01-01T00:00:00Z', skills: null }
    messages.push(...(await anthropic.answer({ ...message, container: inside })).items)
    if (container !== null) messages.push({ role: 'user', content: 'Thanks.' })
  }
  expect(server.violations).toEqual([])
  expect(asked).toEqual(['a'])
  const bodies = server.requests.map(({ body }) => body)
  expect(bodies[0]?.['tools']).toContainEqual(
    expect.objectContaining({ name: 'stock', allowed_callers: ['code_execution_20260120'] }),
  )
  const [second, third] = [bodies[1], bodies[2]].map((body) => body?.['messages'] as object[])
  expect(second?.at(-1)).toMatchObject({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }],
  })
  expect(JSON.stringify(second)).not.toContain('Order twice a week.')
  expect(JSON.stringify(third)).toContain('Order twice a week.')
  expect(JSON.stringify(third)).toContain('tool_addition')
})
