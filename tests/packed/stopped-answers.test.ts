import { expect, test } from 'vitest'
import { installed } from './installed.ts'

/** A provider on loopback, in plain Node: it answers each request with the next of the given bodies. */
const PROVIDER = `
  import { createServer } from 'node:http'
  export async function provider(answers) {
    const bodies = []
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const part of request) text += part
      bodies.push(JSON.parse(text))
      const answer = answers[bodies.length - 1]
      const isStream = Array.isArray(answer)
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
      if (!isStream) return void response.end(JSON.stringify(answer))
      for (const event of answer) {
        const data = typeof event === 'string' ? event : JSON.stringify(event)
        response.write((event.type ? 'event: ' + event.type + '\\n' : '') + 'data: ' + data + '\\n\\n')
      }
      response.end()
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { bodies, url: 'http://127.0.0.1:' + server.address().port, close: () => server.close() }
  }
`

/** A workspace with a tool that must not run. */
const SHOP = `
  import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
  export const paid = []
  const payOut = defineTool({
    name: 'pay_out', description: 'Pays money out.', category: 'action',
    inputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    execute: ({ sum }) => { paid.push(sum); return { paid: sum } },
  })
  export const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [payOut] }) })
  export async function report(more) {
    const entries = await workspace.entries()
    const refused = entries.flatMap(({ event }) =>
      event.type === 'command.refused' ? event.subject + ' ' + event.code + ': ' + event.message : [])
    console.log(JSON.stringify({ paid, refused, ...more }))
    await workspace.close()
  }
`

const REFUSED = (by: string) =>
  `pay_out answer-stopped: The answer was stopped (${by}), so none of its calls was made.`

async function ended(peers: readonly string[], program: string): Promise<unknown> {
  const files = { 'provider.mjs': PROVIDER, 'shop.mjs': SHOP, 'agent.mjs': program }
  const { node } = await installed(peers, files)
  const { code, stdout, stderr } = await node('agent.mjs')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const CHAT = (streamed: boolean) => `
  import OpenAI from 'openai'
  import { forChatCompletions } from 'loadout/openai'
  import { provider } from './provider.mjs'
  import { report, workspace } from './shop.mjs'
  const call = { id: 'one', type: 'function', function: { name: 'pay_out', arguments: '{"sum":250}' } }
  const head = { id: 'x', created: 1, model: 'm' }
  const whole = (finish_reason, message) =>
    ({ ...head, object: 'chat.completion', choices: [{ index: 0, finish_reason, logprobs: null, message: { role: 'assistant', refusal: null, ...message } }] })
  const chunk = (delta, finish_reason = null) =>
    ({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
  const filtered = ${
    streamed
      ? `[chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call }] }), chunk({}, 'content_filter'), '[DONE]']`
      : `whole('content_filter', { content: null, tool_calls: [call] })`
  }
  const answers = [filtered, whole('stop', { content: 'Sorry.' })]
  const { bodies, url, close } = await provider(answers)
  const client = new OpenAI({ apiKey: 'k', baseURL: url + '/v1', maxRetries: 0 })
  const messages = [{ role: 'user', content: 'Pay 250 out.' }]
  const first = await forChatCompletions(workspace).run(client, { model: 'm', messages${
    streamed ? ', onChunk: () => {}' : ''
  } })
  messages.push({ role: 'user', content: 'And now?' })
  const second = await forChatCompletions(workspace).run(client, { model: 'm', messages })
  const results = bodies[1].messages.flatMap((one) => one.role === 'tool' ? one.tool_call_id : [])
  await report({ first: first.status, second: second.status, requests: bodies.length, results })
  close()
`

const RESPONSES = `
  import OpenAI from 'openai'
  import { forOpenAI } from 'loadout/openai'
  import { provider } from './provider.mjs'
  import { report, workspace } from './shop.mjs'
  const head = { id: 'x', object: 'response', created_at: 1, model: 'm', error: null }
  const call = { type: 'function_call', id: 'fc', call_id: 'one', name: 'pay_out', arguments: '{"sum":250}', status: 'completed' }
  const text = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Sorry.', annotations: [] }] }
  const answers = [
    { ...head, status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [call] },
    { ...head, status: 'completed', incomplete_details: null, output: [text] },
  ]
  const { bodies, url, close } = await provider(answers)
  const client = new OpenAI({ apiKey: 'k', baseURL: url + '/v1', maxRetries: 0 })
  const input = [{ role: 'user', content: 'Pay 250 out.' }]
  const first = await forOpenAI(workspace).run(client, { model: 'm', input })
  input.push({ role: 'user', content: 'And now?' })
  const second = await forOpenAI(workspace).run(client, { model: 'm', input })
  const results = bodies[1].input.flatMap((one) => one.type === 'function_call_output' ? one.call_id : [])
  await report({ first: first.status, second: second.status, requests: bodies.length, results })
  close()
`

test.each([
  { what: 'a whole completion', program: CHAT(false) },
  { what: 'a streamed completion', program: CHAT(true) },
  { what: 'a response', program: RESPONSES },
])('no call of $what that a filter stopped runs, and the conversation goes on', async (row) => {
  expect(await ended(['openai'], row.program)).toEqual({
    paid: [],
    refused: [REFUSED('content_filter')],
    first: 'cut',
    second: 'done',
    requests: 2,
    results: ['one'],
  })
})

test('no call of a message that Anthropic refused to finish runs, and the log has an entry of it', async () => {
  const program = `
    import { Anthropic } from '@anthropic-ai/sdk'
    import { forAnthropic } from 'loadout/anthropic'
    import { provider } from './provider.mjs'
    import { report, workspace } from './shop.mjs'
    const head = { id: 'x', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
    const answers = [
      { ...head, stop_reason: 'refusal', content: [{ type: 'tool_use', id: 'one', name: 'pay_out', input: { sum: 250 } }] },
      { ...head, stop_reason: 'end_turn', content: [{ type: 'text', text: 'Sorry.' }] },
    ]
    const { bodies, url, close } = await provider(answers)
    const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })
    const messages = [{ role: 'user', content: 'Pay 250 out.' }]
    const anthropic = forAnthropic(workspace)
    const options = { model: 'm', max_tokens: 99, messages }
    const first = await anthropic.run(client, options)
    messages.push({ role: 'user', content: 'And now?' })
    const second = await anthropic.run(client, options)
    await report({ first: first.status, second: second.status, requests: bodies.length })
    close()
  `
  expect(await ended(['@anthropic-ai/sdk'], program)).toEqual({
    paid: [],
    refused: [REFUSED('refusal')],
    first: 'cut',
    second: 'done',
    requests: 2,
  })
})

test('no call of an AI SDK stream with a chunk that cannot be read runs, and the run ends with the error', async () => {
  const program = `
    import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
    import { isStepCount, streamText } from 'ai'
    import { forAiSdk } from 'loadout/ai-sdk'
    import { provider } from './provider.mjs'
    import { report, workspace } from './shop.mjs'
    const head = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const chunk = (delta, finish_reason = null) => ({ ...head, choices: [{ index: 0, delta, finish_reason }] })
    const call = { index: 0, id: 'one', type: 'function', function: { name: 'pay_out', arguments: '{"sum":250}' } }
    const answers = [
      [chunk({ role: 'assistant', content: 'I pay.' }), '{"choices": oops', chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), '[DONE]'],
      [chunk({ role: 'assistant', content: 'Sorry.' }), chunk({}, 'stop'), '[DONE]'],
    ]
    const { bodies, url, close } = await provider(answers)
    const model = createOpenAICompatible({ name: 'local', baseURL: url + '/v1' })('m')
    const messages = [{ role: 'user', content: 'Pay 250 out.' }]
    const errors = []
    const run = async () => {
      const result = streamText({
        model, messages, ...forAiSdk(workspace), stopWhen: isStepCount(4), maxRetries: 0,
        onError: ({ error }) => void errors.push(error.name),
        onStepEnd: ({ response }) => void messages.push(...response.messages),
      })
      await result.consumeStream()
      return result.finishReason
    }
    const first = await run()
    messages.push({ role: 'user', content: 'And now?' })
    const second = await run()
    const results = bodies[1].messages.flatMap((one) => one.role === 'tool' ? one.tool_call_id : [])
    await report({ first, second, errors, requests: bodies.length, results })
    close()
  `
  expect(await ended(['ai', '@ai-sdk/openai-compatible'], program)).toEqual({
    paid: [],
    refused: [REFUSED('error')],
    first: 'error',
    second: 'stop',
    errors: ['AI_JSONParseError'],
    requests: 2,
    results: ['one'],
  })
})
