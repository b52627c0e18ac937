import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { isStepCount, ToolLoopAgent, type ModelMessage } from 'ai'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { markForCache } from '../../examples/ai-sdk/mark-for-cache.ts'
import { summariseHistory } from '../../examples/ai-sdk/summarise-history.ts'
import { PROJECT } from '../../scripts/run-command.ts'
import { openOffice } from '../connections/wires/ai-sdk/an-office.ts'
import { requestsOf, scriptedModel } from '../connections/wires/ai-sdk/scripted-model.ts'
import { compareBodies } from '../wires/compare/compare-bodies.ts'
import { openWireServer } from '../wires/server/open-wire-server.ts'

test('a history that is summarised in an own prepareStep loses its prefix once, and no section of the workspace', async () => {
  const workspace = await openOffice([], { provider: 'anthropic' })
  await workspace.activateSkill('pdf')
  const writer = scriptedModel(['a.pdf has three pages.'])
  const read = { tool: 'readPdf', input: { file: 'a.pdf' } }
  const model = scriptedModel([
    [{ id: 'c1', ...read }],
    'It has three pages.',
    'You are welcome.',
    [{ id: 'c2', ...read }],
    'Still three.',
    'Goodbye.',
  ])
  const chat: { messages: readonly ModelMessage[] } = { messages: [] }
  const agent = new ToolLoopAgent({
    model,
    ...forAiSdk(workspace, { prepareStep: summariseHistory(workspace, writer, chat, 6) }),
    stopWhen: isStepCount(9),
  })
  for (const content of ['How long is a.pdf?', 'Thanks.', 'Look again.', 'Bye.']) {
    chat.messages = [...chat.messages, { role: 'user', content }]
    const { responseMessages } = await agent.generate({ messages: [...chat.messages] })
    chat.messages = [...chat.messages, ...responseMessages]
  }
  expect(requestsOf(writer)).toHaveLength(1)
  const prompts = requestsOf(model).map(({ prompt }) => JSON.stringify(prompt))
  const has = (text: string) => prompts.map((prompt) => prompt.split(text).length - 1)
  expect(has('So far: a.pdf has three pages.')).toEqual([0, 0, 0, 1, 1, 1])
  expect(has('How long is a.pdf?')).toEqual([1, 1, 1, 0, 0, 0])
  expect(has('Read before you answer.')).toEqual([1, 1, 1, 1, 1, 1])
  const costs = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' && event.cost ? [event.cost] : [],
  )
  const [first, second, third, cut, ...later] = costs
  for (const cost of [first, second, third, ...later]) {
    expect(cost).toMatchObject({ changed: null, kept: cost?.previous, lost: 0 })
  }
  const tokens = cut?.tokens
  expect(cut).toMatchObject({
    changed: { segment: 'conversation', message: 0 },
    kept: (tokens?.tools ?? 0) + (tokens?.instructions ?? 0),
    lost: 0,
  })
  const roles = 'user user assistant tool assistant user assistant'
  expect(chat.messages.map(({ role }) => role).join(' ')).toBe(roles)
})

test('marks for the cache move with the last two messages, and keep the prefix of the requests', async () => {
  const load = (skillName: string) => [{ name: 'loadSkill', input: { skillName } }]
  const read = [{ name: 'readPdf', input: { file: 'a.pdf' } }]
  const server = await openWireServer({
    answers: [load('pdf'), read, { text: 'Three.' }, load('bin'), { text: 'Ready.' }],
  })
  const workspace = await openOffice([], { provider: 'anthropic' })
  const claude = createAnthropic({ apiKey: 'k', baseURL: `${server.url}/v1` })
  const agent = new ToolLoopAgent({
    model: claude('claude-opus-4-8'),
    ...forAiSdk(workspace, {
      prepareStep: ({ messages }) => ({ messages: markForCache(messages) }),
    }),
    stopWhen: isStepCount(9),
  })
  const messages: ModelMessage[] = []
  for (const content of ['How long is a.pdf?', 'Get ready.']) {
    messages.push({ role: 'user', content })
    messages.push(...(await agent.generate({ messages })).responseMessages)
  }
  await server.close()
  expect(server.violations).toEqual([])
  const bodies = server.requests.map(({ body }) => body)
  for (const [index, body] of bodies.slice(1).entries()) {
    expect(compareBodies('anthropic-beta', bodies[index] ?? {}, body).changed).toBe(null)
  }
  expect(bodies.map(marks)).toMatchInlineSnapshot(`
    [
      "user*",
      "user assistant* user* system",
      "user assistant user system assistant* user*",
      "user assistant user system assistant user assistant* user*",
      "user assistant user system assistant user assistant user assistant* user* system",
    ]
  `)
})

/** Lists the messages of a request of Anthropic: the role, with a star where a block is marked. */
function marks({ messages }: Readonly<Record<string, unknown>>): string {
  return (messages as readonly { role: string }[])
    .map(
      (message) => message.role + (JSON.stringify(message).includes('"cache_control"') ? '*' : ''),
    )
    .join(' ')
}

test.each(['mark-for-cache', 'summarise-history'])('the page of the AI SDK shows %s', (name) => {
  const page = readFileSync(join(PROJECT, 'docs/ai-sdk.md'), 'utf8')
  const code = readFileSync(join(PROJECT, `examples/ai-sdk/${name}.ts`), 'utf8')
  expect(page.includes(code)).toBe(true)
})
