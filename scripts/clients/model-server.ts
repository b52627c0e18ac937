import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  answerStream,
  type ScriptedAnswer,
  type ScriptedCall,
} from './conversations/scripted-answers.ts'

/** A request of a client: its path below the base address, and its body. */
export interface SentRequest {
  readonly path: string
  readonly body: unknown
}

/** Returns the answer to a request of a run; null refuses it, so that the client sends it again. */
export type Reply = (run: string, request: SentRequest) => ScriptedAnswer | null

/** A server on loopback that answers every request of a client, on the four wires that clients use. */
export interface ModelServer extends AsyncDisposable {
  /** Returns a base address of its own for one run. */
  address(run: string): string
  /** Lets the model of a run make one call in its first turn with tools. */
  script(run: string, call: ScriptedCall): void
  /** Returns what was sent to an address. */
  sent(run: string): readonly SentRequest[]
}

/** @param reply by default, every answer is "ok" */
export async function startModelServer(reply: Reply = () => OK): Promise<ModelServer> {
  const requests = new Map<string, SentRequest[]>()
  const scripted = new Map<string, ScriptedCall>()
  const said = (run: string, sent: SentRequest) => {
    const call = scripted.get(run)
    const isTurn =
      sent.path.endsWith('v1/messages') && JSON.stringify(sent.body).includes('"tools":[{')
    if (call === undefined || !isTurn) return reply(run, sent)
    scripted.delete(run)
    return { ...OK, text: '', calls: [call] }
  }
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
    answer(path, path.endsWith('count_tokens') ? OK : said(run, { path, body }), response)
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

function answer(path: string, said: ScriptedAnswer | null, response: ServerResponse): void {
  const json = (value: object) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  }
  if (path.endsWith('count_tokens')) return json({ input_tokens: 1 })
  if (path.endsWith(':countTokens')) return json({ totalTokens: 1 })
  if (said === null) {
    response.statusCode = 500
    return json({ type: 'error', error: { type: 'api_error', message: 'Try again.' } })
  }
  const stream = answerStream(path, said)
  if (stream === null) return void response.writeHead(404).end('{}')
  const lines = stream.events.map(
    (one) =>
      `${one.type === undefined ? '' : `event: ${one.type}\n`}data: ${JSON.stringify(one)}\n\n`,
  )
  response.setHeader('content-type', 'text/event-stream').end(lines.join('') + stream.end)
}

/** The answer to every request of a client that is not scripted. */
const OK: ScriptedAnswer = { text: 'ok', calls: [], tokens: 1 }
