import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { toyEmbedding } from '../../../search/vectors/toy-embedding.ts'

/** The server's answer to a request: embeddings (`ok`), or a failure. */
export type Behaviour =
  | { readonly kind: 'ok'; readonly dimensions?: number }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly kind: 'hang' }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'short' }
  | { readonly kind: 'cut' }

export interface EmbeddingServer {
  readonly url: string
  /** The texts of each request, in order. */
  readonly requests: readonly (readonly string[])[]
  readonly keys: readonly (string | undefined)[]
  /** Answer the next requests so, then again with embeddings. */
  next(...behaviours: readonly Behaviour[]): void
  /** Requests that are answered by nobody, and whose client went away. */
  readonly abandoned: number
}

/** A server that speaks OpenAI's `/embeddings` on loopback, for one test. */
export async function embeddingServer(): Promise<EmbeddingServer> {
  const requests: (readonly string[])[] = []
  const keys: (string | undefined)[] = []
  const planned: Behaviour[] = []
  const counts = { abandoned: 0 }
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) counts.abandoned += 1
    })
    const answered = text(request).then((body) => {
      const { input } = JSON.parse(body) as { readonly input: readonly string[] }
      requests.push(input)
      keys.push(request.headers.authorization)
      const behaviour = planned.shift() ?? { kind: 'ok' }
      if (request.url !== '/v1/embeddings') respond(response, 404, { error: { message: 'no' } })
      else if (behaviour.kind !== 'hang') answer(behaviour, input, response)
    })
    // A client may leave before it has sent its whole request.
    answered.catch(() => {})
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    keys,
    next: (...behaviours) => planned.push(...behaviours),
    get abandoned() {
      return counts.abandoned
    },
  }
}

function answer(
  behaviour: Exclude<Behaviour, { readonly kind: 'hang' }>,
  input: readonly string[],
  response: ServerResponse,
): void {
  switch (behaviour.kind) {
    case 'ok': {
      const data = input.map((one, index) => ({
        object: 'embedding',
        index,
        embedding: toyEmbedding(one).slice(0, behaviour.dimensions),
      }))
      respond(response, 200, { object: 'list', data, usage: { prompt_tokens: 1 } })
      return
    }
    case 'status': {
      for (const [name, value] of Object.entries(behaviour.headers ?? {})) {
        response.setHeader(name, value)
      }
      respond(response, behaviour.status, { error: { message: `status ${behaviour.status}` } })
      return
    }
    case 'garbage':
      response.end('{"data": [{"embedding": ')
      return
    case 'short':
      respond(response, 200, { object: 'list', data: [] })
      return
    case 'cut':
      response.destroy()
      return
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}
