import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server on loopback was asked. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly body: string
}

/** What it answers: JSON unless another type is named. */
export interface Given {
  readonly status?: number
  readonly type?: string
  readonly body: object | string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** The connection ends before the answer does. */
  readonly cutOff?: boolean
}

/** A real server on loopback that answers by path and keeps what it was asked. */
export async function loopback(answer: (asked: Asked) => Given | undefined) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void reply(request, response)
  })
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const body = Buffer.concat(chunks).toString()
    const one: Asked = { method, url, authorization: headers.authorization, body }
    asked.push(one)
    const given: Given = answer(one) ?? { status: 404, body: {} }
    const type = given.type ?? 'application/json'
    response.writeHead(given.status ?? 200, { 'content-type': type, ...given.headers })
    const isRaw = typeof given.body === 'string' || given.body instanceof Uint8Array
    if (given.cutOff === true) {
      response.write(given.body, () => response.destroy())
      return
    }
    response.end(isRaw ? given.body : JSON.stringify(given.body))
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
