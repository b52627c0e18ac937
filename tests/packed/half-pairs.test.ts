import { expect, test } from 'vitest'
import { installed } from './installed.ts'

const PEERS = ['@ai-sdk/anthropic', '@ai-sdk/openai', '@anthropic-ai/sdk', 'ai', 'openai']

/**
 * A conversation on each wire in which a tool, its parts, the model and the user write texts that were cut inside an
 * emoji. A provider on loopback keeps the bodies of the requests.
 */
const PROGRAM = `
  import { createServer } from 'node:http'
  import { createAnthropic } from '@ai-sdk/anthropic'
  import { createOpenAI } from '@ai-sdk/openai'
  import { Anthropic } from '@anthropic-ai/sdk'
  import { generateText, isStepCount } from 'ai'
  import { createCatalog, defineTool, succeed, VirtualWorkspace } from 'loadout'
  import { forAiSdk } from 'loadout/ai-sdk'
  import { forAnthropic } from 'loadout/anthropic'
  import { forChatCompletions, forOpenAI } from 'loadout/openai'
  import OpenAI from 'openai'

  const CUT = 'tail of the ticket \\ud83c'
  const shapes = {
    text: () => CUT,
    data: () => ({ title: CUT, ['\\udf89 party']: [CUT] }),
    parts: () => succeed({ title: CUT }, { content: [{ type: 'text', text: CUT }] }),
    error: () => { throw new Error(CUT) },
  }
  const ticket = defineTool({
    name: 'ticket', description: 'Reads a ticket. ' + CUT, category: 'retrieval',
    inputSchema: { type: 'object', properties: { shape: { type: 'string' }, note: { type: 'string', description: CUT } } },
    execute: ({ shape }) => shapes[shape](),
  })

  const calls = Object.keys(shapes).map((shape, index) => ({ id: 'c' + index, name: 'ticket', input: { shape, note: CUT } }))
  const body = (url, model, isFirst) => {
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, prompt_tokens: 1, completion_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } }
    if (url.includes('/messages')) return {
      id: 'x', type: 'message', role: 'assistant', model, stop_sequence: null, usage,
      stop_reason: isFirst ? 'tool_use' : 'end_turn',
      content: isFirst ? calls.map((call) => ({ type: 'tool_use', ...call })) : [{ type: 'text', text: 'Read. ' + CUT }],
    }
    if (url.includes('/responses')) return {
      id: 'x', object: 'response', created_at: 1, model, status: 'completed', error: null, incomplete_details: null, usage,
      output: isFirst
        ? calls.map(({ id, name, input }) => ({ type: 'function_call', id: 'fc_' + id, call_id: id, name, arguments: JSON.stringify(input), status: 'completed' }))
        : [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Read. ' + CUT, annotations: [] }] }],
    }
    const tool_calls = calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }))
    const message = isFirst ? { role: 'assistant', content: null, tool_calls } : { role: 'assistant', content: 'Read. ' + CUT }
    return { id: 'x', object: 'chat.completion', created: 1, model, usage, choices: [{ index: 0, finish_reason: isFirst ? 'tool_calls' : 'stop', logprobs: null, message: { refusal: null, ...message } }] }
  }
  let bodies = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    bodies.push(text)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body(request.url, JSON.parse(text).model, bodies.length === 1)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = 'http://127.0.0.1:' + server.address().port
  const openai = new OpenAI({ apiKey: 'k', baseURL: url + '/v1', maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })

  const sdk = (model) => (workspace) => {
    const settings = forAiSdk(workspace)
    return async (messages) => {
      const { responseMessages } = await generateText({ model, ...settings, messages: [...messages], stopWhen: isStepCount(4), maxRetries: 0 })
      messages.push(...responseMessages)
    }
  }
  const wires = {
    responses: (workspace) => { const one = forOpenAI(workspace); return (input) => one.run(openai, { model: 'm', input }) },
    chat: (workspace) => { const one = forChatCompletions(workspace); return (messages) => one.run(openai, { model: 'm', messages }) },
    anthropic: (workspace) => { const one = forAnthropic(workspace); return (messages) => one.run(anthropic, { model: 'm', max_tokens: 99, messages }) },
    'ai-sdk responses': sdk(createOpenAI({ apiKey: 'k', baseURL: url + '/v1' }).responses('gpt-5.4')),
    'ai-sdk chat': sdk(createOpenAI({ apiKey: 'k', baseURL: url + '/v1' }).chat('gpt-4.1')),
    'ai-sdk anthropic': sdk(createAnthropic({ apiKey: 'k', baseURL: url + '/v1' })('claude-opus-4-8')),
  }
  const found = {}
  for (const [wire, connect] of Object.entries(wires)) {
    bodies = []
    const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [ticket] }) })
    const run = connect(workspace)
    const history = [{ role: 'user', content: 'Read it. ' + CUT }]
    await run(history)
    history.push({ role: 'user', content: 'Again? ' + CUT })
    await run(history)
    const texts = [...bodies, JSON.stringify(await workspace.entries())]
    found[wire] = {
      requests: bodies.length,
      halves: texts.flatMap((text) => /.{0,30}\\\\ud[89a-f].{2}/i.exec(text)?.[0] ?? []),
      kept: bodies[1].split('tail of the ticket \\ufffd').length > 8,
    }
    await workspace.close()
  }
  console.log(JSON.stringify(found))
  server.close()
`

test('no request and no entry has half of an emoji, on any wire, and the rest of the texts is there', async () => {
  const { node } = await installed(PEERS, { 'agent.mjs': PROGRAM })
  const { code, stdout, stderr } = await node('agent.mjs')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const wires = ['responses', 'chat', 'anthropic', 'ai-sdk responses', 'ai-sdk chat']
  expect(JSON.parse(stdout)).toEqual(
    Object.fromEntries(
      [...wires, 'ai-sdk anthropic'].map((wire) => [wire, { requests: 3, halves: [], kept: true }]),
    ),
  )
})
