import Anthropic from '@anthropic-ai/sdk'
import { forAnthropic } from 'loadout/anthropic'
import { CALLS, open, serve } from './loopback.ts'

const usage = { input_tokens: 1, output_tokens: 1 }

const base = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_sequence: null, usage }

const messages = [
  ...CALLS.map(([id, name, input]) => ({
    ...base,
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', id, name, input }],
  })),
  { ...base, stop_reason: 'end_turn', content: [{ type: 'text', text: 'It is 42.' }] },
]

const events = messages.map(({ content, stop_reason, ...start }) => [
  { type: 'message_start', message: { ...start, stop_reason: null, content: [] } },
  ...content.flatMap((block, index) => [
    'input' in block
      ? { type: 'content_block_start', index, content_block: { ...block, input: {} } }
      : { type: 'content_block_start', index, content_block: { ...block, text: '' } },
    {
      type: 'content_block_delta',
      index,
      delta:
        'input' in block
          ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
          : { type: 'text_delta', text: 'text' in block ? block.text : '' },
    },
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
])

const server = await serve([...messages, ...events, ...messages, ...events])

const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 })

const model = 'claude-opus-4-8'

const done: unknown[] = []

for (const isStreamed of [false, true]) {
  const workspace = await open()
  const history: Anthropic.MessageParam[] = [{ role: 'user', content: 'Double 21.' }]
  let seen = 0
  const { status, response } = await forAnthropic(workspace, { api: 'stable' }).run(client, {
    model,
    max_tokens: 99,
    messages: history,
    ...(isStreamed && {
      onEvent: ({ type }) => {
        if (type === 'message_stop') seen += 1
      },
    }),
  })
  done.push([status, response?.stop_reason, JSON.stringify(history).includes('42'), seen])
  await workspace.close()
}

for (const isStreamed of [false, true]) {
  const workspace = await open()
  const history: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Double 21.' }]
  let seen = 0
  const { status, response } = await forAnthropic(workspace).run(client, {
    model,
    max_tokens: 99,
    messages: history,
    ...(isStreamed && {
      onEvent: ({ type }) => {
        if (type === 'message_stop') seen += 1
      },
    }),
  })
  done.push([status, response?.stop_reason, JSON.stringify(history).includes('42'), seen])
  await workspace.close()
}

server.close()
console.log(JSON.stringify(done))

/** The loop of the host itself, for its types. */
export async function ownLoop(): Promise<void> {
  const workspace = await open()
  const stable = forAnthropic(workspace, { api: 'stable', model })
  const history: Anthropic.MessageParam[] = []
  const request = await stable.next(history)
  const message = await client.messages.create({ model, max_tokens: 99, ...request })
  history.push(...(await stable.answer(message)).items)
  const beta = forAnthropic(workspace)
  const betas: Anthropic.Beta.BetaMessageParam[] = []
  const next = await beta.next(betas)
  const answer = await client.beta.messages.create({ model, max_tokens: 99, ...next })
  betas.push(...(await beta.answer(answer)).items)
}
