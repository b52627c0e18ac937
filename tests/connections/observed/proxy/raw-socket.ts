import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type {
  Exchange,
  ExchangeListener,
} from '../../../../src/connections/observed/proxy/exchange-listener.ts'
import { openProxy } from '../../../../src/connections/observed/proxy/open-proxy.ts'

/** A message of HTTP, as its bytes were on a connection. Texts are latin-1. */
export interface Message {
  readonly start: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  readonly trailers: readonly (readonly [name: string, value: string])[]
}

/** One end of a connection, whose bytes are neither parsed nor made by Node. */
export class RawSocket {
  readonly socket: Socket
  /** What was received and not yet taken. */
  received = Buffer.alloc(0)
  /** Resolves with an error when the connection was reset, with null when it was ended. */
  readonly closed: Promise<Error | null>
  #isClosed = false
  #changed = Promise.withResolvers<void>()

  constructor(socket: Socket) {
    this.socket = socket
    let failure: Error | null = null
    this.closed = new Promise((resolve) => {
      socket.on('error', (error) => (failure = error))
      socket.on('close', () => {
        this.#isClosed = true
        this.#change()
        resolve(failure)
      })
    })
    socket.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes])
      this.#change()
    })
  }

  send(...parts: readonly (string | Buffer)[]): void {
    for (const part of parts)
      this.socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
  }

  /** Resolves when a text was received, and takes everything up to its end. */
  async until(text: string): Promise<string> {
    const [taken] = await this.#take((bytes) => {
      const at = bytes.indexOf(text, 0, 'latin1')
      return at < 0 ? null : [bytes.subarray(0, at + text.length), at + text.length]
    })
    return taken.toString('latin1')
  }

  /** Takes a message. `hasBody` is false for the answer to HEAD, and for a status without a body. */
  async message(hasBody = true): Promise<Message> {
    const [message] = await this.#take((bytes) => parseMessage(bytes, hasBody))
    return message
  }

  async #take<T>(
    find: (bytes: Buffer) => readonly [T, number] | null,
  ): Promise<readonly [T, number]> {
    for (;;) {
      const found = find(this.received)
      if (found !== null) {
        this.received = this.received.subarray(found[1])
        return found
      }
      if (this.#isClosed) throw new Error(`Closed after: ${this.received.toString('latin1')}`)
      await this.#changed.promise
    }
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/** Returns a message and its length in bytes; null while it is incomplete. */
function parseMessage(bytes: Buffer, hasBody: boolean): readonly [Message, number] | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [start = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const fields = lines.map(parseField)
  const value = (name: string) => fields.find(([given]) => given.toLowerCase() === name)?.[1]
  const from = end + 4
  if (hasBody && value('transfer-encoding') !== undefined)
    return parseChunks(start, fields, bytes, from)
  const to = from + (hasBody ? Number(value('content-length') ?? 0) : 0)
  if (bytes.length < to) return null
  return [{ start, fields, body: bytes.subarray(from, to), trailers: [] }, to]
}

function parseField(line: string): [string, string] {
  const at = line.indexOf(':')
  return [line.slice(0, at), line.slice(at + 1).replace(/^[ \t]+|[ \t]+$/g, '')]
}

function parseChunks(start: string, fields: Message['fields'], bytes: Buffer, from: number) {
  const chunks: Buffer[] = []
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const data = line + 2
    if (size > 0) {
      if (bytes.length < data + size + 2) return null
      chunks.push(bytes.subarray(data, data + size))
      at = data + size + 2
      continue
    }
    // The trailers end with an empty line, which may be the first.
    const end = bytes.indexOf('\r\n\r\n', line)
    if (end < 0) return null
    const lines = bytes.toString('latin1', data, Math.max(data, end)).split('\r\n').filter(Boolean)
    const message = { start, fields, body: Buffer.concat(chunks), trailers: lines.map(parseField) }
    return [message, end + 4] as const
  }
}

/** An upstream that the test answers for, byte by byte. */
export interface Upstream {
  readonly url: URL
  readonly port: number
  /** Takes the next connection. */
  accept(): Promise<RawSocket>
  /** The number of connections that were made. */
  readonly count: number
}

/** Opens an upstream for one test. */
export async function openUpstream(path = ''): Promise<Upstream> {
  const waiting: RawSocket[] = []
  const made: RawSocket[] = []
  let changed = Promise.withResolvers<void>()
  const server = createServer({ allowHalfOpen: false, noDelay: true }, (socket) => {
    const raw = new RawSocket(socket)
    made.push(raw)
    waiting.push(raw)
    changed.resolve()
    changed = Promise.withResolvers()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const { socket } of made) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}${path}`),
    port,
    get count() {
      return made.length
    },
    async accept() {
      for (;;) {
        const next = waiting.shift()
        if (next) return next
        await changed.promise
      }
    },
  }
}

/** Everything that a listener got, in order. */
export interface Seen {
  readonly head: Parameters<ExchangeListener['begin']>[0]
  readonly calls: string[]
  readonly requestBody: Buffer[]
  readonly responseBody: Buffer[]
  answer: Parameters<Exchange['answered']>[0] | null
  how: string | null
}

/** A proxy for one test, with the route `model`. */
export interface OpenedProxy {
  readonly proxy: Awaited<ReturnType<typeof openProxy>>
  readonly seen: readonly Seen[]
  /** Resolves when so many exchanges have ended. */
  ended(count: number): Promise<void>
  connect(): Promise<RawSocket>
  /** The lines of a head, without `Host`, which is added. */
  head(start: string, ...lines: readonly string[]): string
}

/** Opens a proxy for one test. */
export async function openProxyTo(
  url: URL,
  listener?: ExchangeListener,
  env: Readonly<Record<string, string>> = {},
): Promise<OpenedProxy> {
  const { seen, ended, recorder } = createRecorder()
  const routes = new Map([['model', url]])
  const proxy = await openProxy({ routes, listener: listener ?? recorder, env })
  onTestFinished(() => proxy.close())
  return {
    proxy,
    seen,
    ended,
    async connect() {
      const socket = connect({ port: proxy.port, host: '127.0.0.1', noDelay: true })
      const raw = new RawSocket(socket)
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      return raw
    },
    head: (start, ...lines) =>
      `${[`${start} HTTP/1.1`, `Host: 127.0.0.1:${proxy.port}`, ...lines].join('\r\n')}\r\n\r\n`,
  }
}

function createRecorder() {
  const seen: Seen[] = []
  let changed = Promise.withResolvers<void>()
  const recorder: ExchangeListener = {
    begin(head) {
      const one: Seen = {
        head,
        calls: [],
        requestBody: [],
        responseBody: [],
        answer: null,
        how: null,
      }
      seen.push(one)
      return {
        requestPart(bytes) {
          one.calls.push('requestPart')
          one.requestBody.push(bytes)
        },
        answered(answer) {
          one.calls.push('answered')
          one.answer = answer
        },
        responsePart(bytes) {
          one.calls.push('responsePart')
          one.responseBody.push(bytes)
        },
        ended(how) {
          one.calls.push('ended')
          one.how = how
          changed.resolve()
          changed = Promise.withResolvers()
        },
      }
    },
  }
  const ended = async (count: number) => {
    while (seen.filter(({ how }) => how !== null).length < count) await changed.promise
  }
  return { seen, ended, recorder }
}
