import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, ToolLoopAgent, type ModelMessage } from 'ai'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice, type Deeds } from './an-office.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'

const load = (skillName: string) => [{ name: 'loadSkill', input: { skillName } }]
const unload = (skillName: string) => [{ name: 'unloadSkill', input: { skillName } }]
const read = [{ name: 'readPdf', input: { file: 'a.pdf' } }]

const script = [
  load('pdf'),
  read,
  { text: 'Three pages.' },
  load('bin'),
  { text: 'Ready.' },
  unload('pdf'),
  { text: 'Closed.' },
  load('pdf'),
  read,
  { text: 'Three pages, still.' },
]

/** Turns of one conversation with a model of a provider, and the bodies of its requests. */
async function converse(provider: 'openai' | 'anthropic', isStreamed: boolean) {
  const deeds: Deeds = []
  const server = await openWireServer({ answers: script })
  const model =
    provider === 'openai'
      ? createOpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` }).responses('gpt-5.4')
      : createAnthropic({ apiKey: 'k', baseURL: `${server.url}/v1` })('claude-opus-4-8')
  const workspace = await openOffice(deeds, { provider })
  const agent = new ToolLoopAgent({
    model,
    ...forAiSdk(workspace),
    stopWhen: isStepCount(9),
    ...(provider === 'openai' && { providerOptions: { openai: { store: false } } }),
  })
  const messages: ModelMessage[] = []
  for (const content of ['How long is a.pdf?', 'Get ready.', 'Close it.', 'And again?']) {
    messages.push({ role: 'user', content })
    const { responseMessages } = isStreamed
      ? await agent.stream({ messages })
      : await agent.generate({ messages })
    messages.push(...(await responseMessages))
  }
  await server.close()
  const steps = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? event : [],
  )
  return { deeds, steps, requests: server.requests, violations: server.violations }
}

test.each([
  { provider: 'openai', input: 'input', isStreamed: false },
  { provider: 'openai', input: 'input', isStreamed: true },
  { provider: 'anthropic', input: 'messages', isStreamed: false },
  { provider: 'anthropic', input: 'messages', isStreamed: true },
] as const)(
  'with $provider, streamed: $isStreamed, skills come and go inside the conversation, and nothing before them changes',
  async ({ provider, input, isStreamed }) => {
    const { deeds, steps, requests, violations } = await converse(provider, isStreamed)
    expect(violations).toEqual([])
    expect(deeds).toEqual(['read a.pdf', 'read a.pdf'])
    expect(requests).toHaveLength(script.length)
    const bodies = requests.map(({ body }) => body as Readonly<Record<string, unknown>>)
    for (const [index, body] of bodies.entries()) {
      expect(body['tools']).toEqual(bodies[0]?.['tools'])
      const before = (bodies[index - 1]?.[input] ?? []) as unknown[]
      expect((body[input] as unknown[]).slice(0, before.length)).toEqual(before)
    }
    for (const { strategy, cost } of steps) {
      expect(strategy).toBe('conversation')
      expect(cost).toMatchObject({ changed: null, lost: 0, kept: cost?.previous })
    }
  },
)
