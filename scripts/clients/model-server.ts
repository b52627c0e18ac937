import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'

/** A request of a client: its path below the base address, and its body. */
export interface SentRequest {
  readonly path: string
  readonly body: unknown
}

/** A call that the model makes. */
export interface ScriptedCall {
  readonly name: string
  readonly input: Readonly<Record<string, string>>
}

/** A server on loopback that answers every request of a client with "ok", on the three wires that clients use. */
export interface ModelServer extends AsyncDisposable {
  /** Returns a base address of its own for one run. */
  address(run: string): string
  /** Lets the model make a call in the first turn of a run, on the wire of Messages. */
  script(run: string, call: ScriptedCall): void
  /** Returns what was sent to an address. */
  sent(run: string): readonly SentRequest[]
}

export async function startModelServer(): Promise<ModelServer> {
  const requests = new Map<string, SentRequest[]>()
  const scripted = new Map<string, ScriptedCall>()
  const server = createServer(async (request, response) => {
    const [, run = '', ...rest] = (request.url ?? '').split('?')[0]?.split('/') ?? []
    const path = rest.join('/')
    const bytes = await buffer(request)
    const encoding = request.headers['content-encoding']
    const plain =
      encoding === 'zstd'
        ? zstdDecompressSync(bytes)
        : encoding === 'gzip'
          ? gunzipSync(bytes)
          : bytes
    const body: unknown = plain.length === 0 ? null : JSON.parse(plain.toString('utf8'))
    requests.set(run, [...(requests.get(run) ?? []), { path, body }])
    const isTurn = path.endsWith('v1/messages') && JSON.stringify(body).includes('"tools":[{')
    const call = isTurn ? scripted.get(run) : undefined
    if (call !== undefined) scripted.delete(run)
    answer(path, response, call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: (run) => `http://127.0.0.1:${port}/${run}`,
    script: (run, call) => void scripted.set(run, call),
    sent: (run) => requests.get(run) ?? [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function answer(path: string, response: ServerResponse, call?: ScriptedCall): void {
  const json = (value: object) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  }
  const stream = (events: readonly (object & { type?: string })[], end = '') => {
    const lines = events.map(
      (one) =>
        `${one.type === undefined ? '' : `event: ${one.type}\n`}data: ${JSON.stringify(one)}\n\n`,
    )
    response.setHeader('content-type', 'text/event-stream').end(lines.join('') + end)
  }
  if (path.endsWith('count_tokens')) json({ input_tokens: 1 })
  else if (path.endsWith('v1/messages')) stream(messages(call))
  else if (path.endsWith('v1/responses')) stream(RESPONSES)
  else if (path.endsWith('v1/chat/completions')) stream(COMPLETIONS, 'data: [DONE]\n\n')
  else response.writeHead(404).end('{}')
}

/** Returns the events of an answer: a call, or "ok". */
function messages(call: ScriptedCall | undefined) {
  const block =
    call === undefined
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} }
  const delta =
    call === undefined
      ? { type: 'text_delta', text: 'ok' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
  return [
    {
      type: 'message_start',
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ]
}

const ITEM = {
  type: 'message',
  id: 'i1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'ok', annotations: [] }],
}

const RESPONSES = [
  { type: 'response.created', response: { id: 'r1' } },
  { type: 'response.output_item.done', output_index: 0, item: ITEM },
  {
    type: 'response.completed',
    response: {
      id: 'r1',
      status: 'completed',
      output: [ITEM],
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      },
    },
  },
]

const CHUNK = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' }

const COMPLETIONS = [
  {
    ...CHUNK,
    choices: [{ index: 0, delta: { role: 'assistant', content: 'ok' }, finish_reason: null }],
  },
  {
    ...CHUNK,
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
]
