import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import type { Answer } from '../../../wires/server/answer.ts'
import type { WireRequest } from '../../../wires/server/open-wire-server.ts'
import { openModel, openShop } from './a-shop.ts'

const trim = { above: 8, keep: 4 }

/** A model that thinks, finds two orders at once, and answers. */
function thinker({ index }: WireRequest): Answer {
  if (index % 2 === 1) return { thinking: 'Both are here.', text: `Found, at ${index}.` }
  const calls = ['7', '8'].map((order) => ({ name: 'find', input: { order: order + index } }))
  return {
    thinking: 'Look.',
    calls: index === 0 ? [{ name: 'loadSkill', input: { skillName: 'refunds' } }] : calls,
  }
}

test('Responses: trimming never cuts reasoning from what it led to, nor a call from its result', async () => {
  const workspace = await openShop()
  const { client, server } = await openModel(thinker)
  const conversation = forOpenAI(workspace, { model: 'gpt-5.4', trim })
  const input: ResponseInputItem[] = [{ role: 'developer', content: 'Be brief.' }]
  for (let turn = 0; turn < 12; turn += 1) {
    input.push({ role: 'user', content: `Where are they now, in turn ${turn}?` })
    expect((await conversation.run(client, { input })).status).toBe('done')
  }
  expect(server.violations).toEqual([])
  const last = server.requests.at(-1)?.body['input'] as ResponseInputItem[]
  expect(last.length).toBeLessThan(input.length / 2)
  expect(last[0]).toEqual(input[0])
  expect(JSON.stringify(last)).toContain('in turn 11?')
  expect(JSON.stringify(last)).toContain('additional_tools')
})

test('Chat Completions: trimming never cuts a call from its result, and the system message stays', async () => {
  const workspace = await openShop([], { provider: 'compatible' })
  const { client, server } = await openModel((request) => {
    const { thinking: _thinking, ...answer } = thinker(request) as { thinking: string }
    return answer
  })
  const conversation = forChatCompletions(workspace, { trim })
  const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: 'Be brief.' }]
  for (let turn = 0; turn < 12; turn += 1) {
    messages.push({ role: 'user', content: `Where are they now, in turn ${turn}?` })
    await conversation.run(client, { model: 'local', messages })
  }
  expect(server.violations).toEqual([])
  const last = server.requests.at(-1)?.body['messages'] as ChatCompletionMessageParam[]
  expect(last.length).toBeLessThan(messages.length / 2)
  expect(String(last[0]?.content)).toMatch(/^Be brief\./u)
})
