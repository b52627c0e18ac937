import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  convertToModelMessages,
  isStepCount,
  readUIMessageStream,
  ToolLoopAgent,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { compareBodies } from '../../wires/compare/compare-bodies.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { openOffice } from './an-office.ts'

const load = (skillName: string) => [{ name: 'loadSkill', input: { skillName } }]

test.each([
  { id: 'gpt-5.4', provider: 'openai', wire: 'openai-responses' },
  { id: 'claude-opus-4-8', provider: 'anthropic', wire: 'anthropic-beta' },
  { id: 'claude-sonnet-4-5', provider: 'anthropic', wire: 'anthropic-beta' },
] as const)(
  'with $id, a host that stores messages of a UI and makes its settings in each turn keeps the prefix',
  async ({ id, provider, wire }) => {
    const answers = [load('pdf'), { text: 'Yes.' }, load('bin'), { text: 'Yes.' }, { text: 'Yes.' }]
    const server = await openWireServer({ answers })
    const baseURL = `${server.url}/v1`
    const model =
      provider === 'openai'
        ? createOpenAI({ apiKey: 'k', baseURL }).responses(id)
        : createAnthropic({ apiKey: 'k', baseURL })(id)
    const workspace = await openOffice([], { provider })
    let stored: UIMessage[] = []
    for (const turn of [1, 2, 3]) {
      const settings = forAiSdk(workspace)
      const agent = new ToolLoopAgent({
        model,
        ...settings,
        stopWhen: isStepCount(9),
        ...(provider === 'openai' && { providerOptions: { openai: { store: false } } }),
      })
      stored.push({ id: `${turn}`, role: 'user', parts: [{ type: 'text', text: 'yes' }] })
      const messages = await convertToModelMessages(stored, { tools: settings.tools })
      const { stream } = await agent.stream({ messages })
      const versions: UIMessage[] = []
      for await (const one of readUIMessageStream({ stream: toUIMessageStream({ stream }) })) {
        versions.push(one)
      }
      stored.push(...versions.slice(-1))
      stored = JSON.parse(JSON.stringify(stored)) as UIMessage[]
    }
    await server.close()
    expect(server.violations).toEqual([])
    const bodies = server.requests.map(({ body }) => body)
    expect(bodies).toHaveLength(answers.length)
    for (const [index, body] of bodies.slice(1).entries()) {
      expect(compareBodies(wire, bodies[index] ?? {}, body).changed).toBe(null)
    }
  },
)
