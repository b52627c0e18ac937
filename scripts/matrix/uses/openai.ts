import OpenAI from 'openai'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { CALLS, open, serve } from './loopback.ts'

const base = { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed' }

const message = {
  type: 'message',
  id: 'm1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'It is 42.', annotations: [] }],
}

const responses = [
  ...CALLS.map(([id, name, input]) => ({
    ...base,
    output: [
      { type: 'function_call', id: `f${id}`, call_id: id, name, arguments: JSON.stringify(input) },
    ],
  })),
  { ...base, output: [message] },
]

const completions = [
  ...CALLS.map(([id, name, input]) => ({
    id: 'c',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id, type: 'function', function: { name, arguments: JSON.stringify(input) } },
          ],
        },
      },
    ],
  })),
  {
    id: 'c',
    object: 'chat.completion',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It is 42.' } },
    ],
  },
]

const chunks = completions.flatMap((completion) => {
  const [choice] = completion.choices
  if (choice === undefined) return []
  const { message: said, ...rest } = choice
  const calls = 'tool_calls' in said ? said.tool_calls : []
  const tool_calls = calls.map((call, index) => ({ index, ...call }))
  const parts = [
    {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ ...rest, finish_reason: null, delta: { ...said, tool_calls } }],
    },
    { id: 'c', object: 'chat.completion.chunk', choices: [{ ...rest, delta: {} }] },
  ]
  return [parts]
})

const events = responses.map((response) => [
  {
    type: 'response.created',
    sequence_number: 0,
    response: { ...response, status: 'in_progress', output: [] },
  },
  { type: 'response.completed', sequence_number: 1, response },
])

const server = await serve([...responses, ...events, ...completions, ...chunks])

const client = new OpenAI({ apiKey: 'k', baseURL: server.url, maxRetries: 0 })

const model = 'gpt-5.4'

const done: unknown[] = []

for (const isStreamed of [false, true]) {
  const workspace = await open()
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Double 21.' }]
  let seen = 0
  const { status, response } = await forOpenAI(workspace, { model }).run(client, {
    input,
    temperature: 0,
    ...(isStreamed && {
      onEvent: ({ type }) => {
        if (type === 'response.completed') seen += 1
      },
    }),
  })
  const result = input.find(
    (item) => item.type === 'function_call_output' && item.call_id === 'call_2',
  )
  done.push([status, response?.output.length, JSON.stringify(result).includes('42'), seen])
  await workspace.close()
}

for (const isStreamed of [false, true]) {
  const workspace = await open()
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Double 21.' }]
  let seen = 0
  const { status, response } = await forChatCompletions(workspace).run(client, {
    model,
    messages,
    temperature: 0,
    ...(isStreamed && {
      onChunk: ({ choices }) => {
        seen += choices.length
      },
    }),
  })
  const said = response?.choices[0]?.message.content
  done.push([status, said, JSON.stringify(messages).includes('twice'), seen])
  await workspace.close()
}

server.close()
console.log(JSON.stringify(done))

/** The loop of the host itself, for its types. */
export async function ownLoop(): Promise<OpenAI.ChatCompletionMessageParam[]> {
  const workspace = await open()
  const chat = forChatCompletions(workspace)
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Double 21.' }]
  const completion = await client.chat.completions.create({ model, ...(await chat.next(messages)) })
  messages.push(...(await chat.answer(completion)).items)
  const items = forOpenAI(workspace, { model, tools: [{ type: 'web_search_preview' }] })
  const input: OpenAI.Responses.ResponseInputItem[] = []
  const response = await client.responses.create({ model, ...(await items.next(input)) })
  input.push(...(await items.answer(response)).items)
  return messages
}
