import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, ToolLoopAgent, type ModelMessage } from 'ai'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { compareBodies } from '../../../wires/compare/compare-bodies.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { openOffice } from './an-office.ts'

const load = (skillName: string) => [{ name: 'loadSkill', input: { skillName } }]
const read = [{ name: 'readPdf', input: { file: 'a.pdf' } }]

/** Copies a message, with or without the mark of where the provider caches. */
function copied(message: ModelMessage, isMarked: boolean): ModelMessage {
  const { anthropic = {}, ...others } = message.providerOptions ?? {}
  const { cacheControl: _, ...rest } = anthropic
  const own = isMarked ? { ...rest, cacheControl: { type: 'ephemeral' } } : rest
  const providerOptions = Object.keys(own).length > 0 ? { ...others, anthropic: own } : others
  return { ...message, providerOptions } as ModelMessage
}

/** Copies messages, and marks the last one of the user, the model or a tool. */
function marked(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.findLastIndex(({ role }) => role !== 'system')
  return messages.map((message, index) => copied(message, index === last))
}

test.each([
  { provider: 'openai', wire: 'openai-responses' },
  { provider: 'anthropic', wire: 'anthropic-beta' },
] as const)(
  'with $provider, a host that copies all messages to move its cache marks gets the requests of one that does not',
  async ({ provider, wire }) => {
    const server = await openWireServer({
      answers: [load('pdf'), read, { text: 'Three.' }, load('bin'), { text: 'Ready.' }],
    })
    const baseURL = `${server.url}/v1`
    const workspace = await openOffice([], { provider })
    const { prepareStep, ...settings } = forAiSdk(workspace)
    const agent = new ToolLoopAgent({
      model:
        provider === 'openai'
          ? createOpenAI({ apiKey: 'k', baseURL }).responses('gpt-5.4')
          : createAnthropic({ apiKey: 'k', baseURL })('claude-opus-4-8'),
      ...settings,
      stopWhen: isStepCount(9),
      ...(provider === 'openai' && { providerOptions: { openai: { store: false } } }),
      prepareStep: async (step) => {
        const given = await prepareStep(step)
        return { ...given, messages: marked(given?.messages ?? []) }
      },
    })
    let messages: ModelMessage[] = []
    for (const content of ['How long is a.pdf?', 'Get ready.']) {
      messages = marked([...messages, { role: 'user', content }])
      messages.push(...(await agent.generate({ messages })).responseMessages)
    }
    await server.close()
    expect(server.violations).toEqual([])
    const bodies = server.requests.map(({ body }) => body)
    expect(bodies).toHaveLength(5)
    for (const [index, body] of bodies.slice(1).entries()) {
      expect(compareBodies(wire, bodies[index] ?? {}, body).changed).toBe(null)
    }
    const introductions = JSON.stringify(bodies.at(-1)).split('From the workspace').length - 1
    expect(introductions).toBe(3)
  },
)

test('a removal that one model was sent is not sent to a model that takes none', async () => {
  const answers = [
    load('pdf'),
    { text: 'Loaded.' },
    [{ name: 'unloadSkill', input: { skillName: 'pdf' } }],
    { text: 'Closed.' },
    load('pdf'),
    { text: 'Loaded again.' },
  ]
  const server = await openWireServer({ answers })
  const baseURL = `${server.url}/v1`
  const workspace = await openOffice([], { provider: 'anthropic' })
  const claude = createAnthropic({ apiKey: 'k', baseURL })('claude-opus-4-8')
  const chat = createOpenAI({ apiKey: 'k', baseURL }).chat('gpt-4.1')
  const messages: ModelMessage[] = []
  for (const model of [claude, claude, chat]) {
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(9) })
    messages.push({ role: 'user', content: 'Go on.' })
    messages.push(...(await agent.generate({ messages })).responseMessages)
  }
  await server.close()
  expect(server.violations).toEqual([])
  const sent = server.requests.at(-1)?.body['messages'] as readonly { role: string }[]
  expect(sent.filter(({ role }) => role === 'system')).toHaveLength(1)
})
