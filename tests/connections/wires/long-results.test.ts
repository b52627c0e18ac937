import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { forChatCompletions } from 'loadout/openai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS } from '../../../scripts/wires/wire-clients.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

const dump = defineTool({
  name: 'dump',
  description: 'Reads everything.',
  category: 'retrieval',
  execute: () => 'a row of the table\n'.repeat(50_000),
})

test.each(WIRE_CLIENTS)(
  '$name: a long result is cut, has the same bytes later, and the next request has read_result',
  async ({ provider, run }) => {
    const catalog = await createCatalog({ tools: [dump] })
    const workspace = await VirtualWorkspace.open({ catalog, provider })
    const server = await openWireServer({
      answers: [
        [{ name: 'dump' }],
        [{ name: 'read_result', input: { tool: 'dump', search: 'row' } }],
        'Done.',
      ],
    })
    await run(server.url, workspace)
    await workspace.close()
    await server.close()
    expect(server.violations).toEqual([])
    const [, second = '', third = ''] = server.requests.map(({ body }) => JSON.stringify(body))
    expect(second.length).toBeLessThan(300_000)
    const note = /The result was cut\. It has 950000 characters[^}]*\}/u.exec(second)?.[0] ?? '-'
    expect(third).toContain(note)
    expect(third).toContain('More places follow')
    expect(second).toContain('Read on in a result that was cut')
  },
)

test('200 results of up to 20 MB never fill the window of the model', async () => {
  const sizes = Array.from({ length: 200 }, (_, n) =>
    n % 67 === 5 ? 20_000_000 : Math.floor((n % 13) ** 5),
  )
  const left = [...sizes]
  const dump = defineTool({
    name: 'dump',
    description: 'Reads everything.',
    category: 'retrieval',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    execute: () => 'a row of 表 👩‍👧\n'.repeat(Math.ceil((left.shift() ?? 0) / 20)),
  })
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [dump] }) })
  const server = await openWireServer({
    answers: [...sizes.map((_, n) => [{ name: 'dump', input: { n } }]), 'Done.'],
  })
  const client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
  await forChatCompletions(workspace).run(client, {
    model: 'qwen3',
    messages: [{ role: 'user', content: 'Read.' }],
    maxSteps: 300,
  })
  const steps = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' && event.cost ? event.cost.tokens : [],
  )
  const most = Math.max(...steps.map((one) => one.tools + one.instructions + one.conversation))
  await workspace.close()
  await server.close()
  expect(server.requests).toHaveLength(201)
  expect(most).toBeGreaterThan(60_000)
  expect(most).toBeLessThan(120_000)
}, 240_000)
