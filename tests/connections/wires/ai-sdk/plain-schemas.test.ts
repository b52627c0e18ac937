import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, ToolLoopAgent } from 'ai'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'

/** A tool that takes one of two arguments: providers refuse the combinator at the top of its schema. */
const either = (name: string) =>
  defineTool({
    name,
    description: 'Finds an order by its number or by its customer.',
    category: 'retrieval',
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'string' }, customer: { type: 'string' } },
      anyOf: [{ required: ['order'] }, { required: ['customer'] }],
    },
    execute: () => 'found',
  })

test.each([
  { provider: 'openai', api: 'responses' },
  { provider: 'openai', api: 'chat' },
  { provider: 'anthropic', api: 'messages' },
] as const)(
  'a schema with a combinator at its top is sent to $provider ($api) in a form that it takes',
  async ({ provider, api }) => {
    const server = await openWireServer({
      answers: [
        [{ name: 'loadSkill', input: { skillName: 'orders' } }],
        [{ name: 'look_up', input: {} }],
        'Done.',
      ],
    })
    const baseURL = `${server.url}/v1`
    const model =
      provider === 'anthropic'
        ? createAnthropic({ apiKey: 'k', baseURL })('claude-opus-4-8')
        : createOpenAI({ apiKey: 'k', baseURL })[api]('gpt-5.4')
    const orders = defineSkill({
      name: 'orders',
      description: 'Finds orders.',
      instructions: 'Look orders up.',
      tools: [either('look_up')],
    })
    const catalog = await createCatalog({ skills: [orders], tools: [either('find')] })
    const workspace = await VirtualWorkspace.open({ catalog, provider })
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(3) })
    await agent.generate({ prompt: 'Where is order 7?' })
    await server.close()
    expect(server.requests).toHaveLength(3)
    expect(server.violations).toEqual([])
    // The gate still has the complete schema.
    const last = server.requests.at(-1)?.bytes.toString()
    expect(last).toContain('VALIDATION')
    expect(last).toMatch(/"name":"find"/u)
    expect(last).toMatch(/"name":"look_up","description"/u)
  },
)
