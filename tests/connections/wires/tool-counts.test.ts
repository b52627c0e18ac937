import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS } from '../../../scripts/wires/wire-clients.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

function tools(count: number, ran: (name: string) => void = () => undefined) {
  return Array.from({ length: count }, (_, index) => {
    const name = `tool_${index}`
    const execute = () => ran(name)
    return defineTool({ name, description: 'Does something.', category: 'retrieval', execute })
  })
}

test.each(
  WIRE_CLIENTS.flatMap((client) =>
    [1, 127, 128, 129, 600, 2000].map((count) => ({ ...client, count })),
  ),
)(
  '$name: a session with $count tools makes requests that the provider takes, and the last tool can be called',
  async ({ provider, run, count }) => {
    const ran: string[] = []
    const catalog = await createCatalog({ tools: tools(count, (name) => void ran.push(name)) })
    const workspace = await VirtualWorkspace.open({ catalog, provider })
    const last = `tool_${count - 1}`
    const server = await openWireServer({
      answers: ({ body, index }) => {
        if (index > 0) return 'Done.'
        const sent = JSON.stringify(body['tools'])
        return sent.includes(`"${last}"`)
          ? [{ name: last }]
          : [{ name: 'call_tool', input: { name: last, arguments: {} } }]
      },
    })
    await run(server.url, workspace)
    expect(server.violations).toEqual([])
    expect(ran).toEqual([last])
    const warned = (await workspace.entries()).some(({ event }) => event.type === 'warning.given')
    expect(warned).toBe(false)
    await workspace.close()
    await server.close()
  },
)

test('a request with more tools than the provider takes is warned of once, and again after one with fewer', async () => {
  const [first, ...more] = tools(130)
  const catalog = await createCatalog({ tools: first ? [first] : [] })
  const workspace = await VirtualWorkspace.open({ catalog, provider: 'openai' })
  const warnings = async () =>
    (await workspace.entries()).flatMap(({ event, seq }) =>
      event.type === 'warning.given' ? { seq, code: event.code, message: event.message } : [],
    )
  await workspace.beginStep()
  for (const one of more) await workspace.registerTool(one)
  expect((await workspace.previewStep()).cost.tooMany).toEqual({ tools: 130, most: 128 })
  expect(await warnings()).toEqual([])
  const step = await workspace.beginStep()
  await workspace.beginStep()
  expect(await warnings()).toEqual([
    {
      seq: step.seq - 1,
      code: 'too-many-tools',
      message:
        'The request has 130 tools, and openai takes at most 128: it refuses a request with more.',
    },
  ])
  await workspace.setToolEnabled('tool_1', false)
  await workspace.setToolEnabled('tool_2', false)
  await workspace.beginStep()
  await workspace.setToolEnabled('tool_1', true)
  await workspace.beginStep()
  expect(await warnings()).toHaveLength(2)
  await workspace.close()
})

test('without a named provider nothing is known of a limit', async () => {
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: tools(200) }),
  })
  const { cost, tools: sent } = await workspace.beginStep()
  expect([sent.length, cost.tooMany]).toEqual([200, undefined])
  await workspace.close()
})

test.each([
  { provider: 'openai', strategy: 'bridge' },
  { provider: 'google', strategy: 'active' },
  { provider: 'anthropic', strategy: 'active' },
] as const)(
  '$provider gets 300 tools by the strategy $strategy',
  async ({ provider, strategy }) => {
    const catalog = await createCatalog({ tools: tools(300) })
    const workspace = await VirtualWorkspace.open({ catalog, provider })
    const { exposure } = await workspace.beginStep()
    expect(exposure.strategy).toBe(strategy)
    if (strategy === 'bridge') {
      expect(exposure.why).toBe(
        'openai takes at most 128 tools in a request, and there may be more: this way, a request has fewer.',
      )
    }
    await workspace.close()
  },
)
