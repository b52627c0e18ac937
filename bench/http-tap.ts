import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Header fields or trailers, in their order. */
type Fields = readonly (readonly [name: string, value: string])[]

/** A message of HTTP/1.1 on the wire, without the framing of its body. */
export interface WireMessage {
  readonly start: string
  readonly fields: Fields
  readonly body: Buffer
  readonly trailers: Fields
  /** False for one that broke off. */
  readonly isComplete: boolean
}

/** A request and its answer; null for one that did not come. */
export interface WireExchange {
  readonly request: WireMessage
  readonly response: WireMessage | null
  /** The client left its connection before the server did. */
  readonly isLeft: boolean
}

/** A relay on loopback that passes bytes on and keeps them. */
export interface HttpTap {
  readonly port: number
  /** Returns what passed so far, in the order of the requests of each connection. */
  exchanges(): readonly WireExchange[]
  close(): void
}

/**
 * Opens a relay to a port of this machine. Connections end on one side as they end on the other. Only the name of this relay
 * is changed in what it passes on, to that of the port: the recorder refuses other hosts.
 */
export async function openTap(to: number): Promise<HttpTap> {
  const connections: Connection[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const kept: Connection = { sent: [], received: [], first: null }
    connections.push(kept)
    const upstream = connect({ port: to, host: '127.0.0.1', noDelay: true })
    for (const event of ['end', 'close']) {
      client.once(event, () => (kept.first ??= 'client'))
      upstream.once(event, () => (kept.first ??= 'server'))
    }
    const own = `127.0.0.1:${client.localPort}`
    relay(client, upstream, kept.sent, (bytes) => {
      const at = bytes.indexOf(own)
      if (at < 0 || own.length !== `127.0.0.1:${to}`.length) return bytes
      const renamed = Buffer.from(bytes)
      renamed.write(`127.0.0.1:${to}`, at)
      return renamed
    })
    relay(upstream, client, kept.received, (bytes) => bytes)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    exchanges: () => connections.flatMap(pairUp),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function relay(from: Socket, to: Socket, kept: Buffer[], change: (bytes: Buffer) => Buffer): void {
  from.on('data', (bytes: Buffer) => {
    kept.push(bytes)
    to.write(change(bytes))
  })
  from.on('end', () => to.end())
  from.on('close', () => to.destroySoon())
  from.on('error', () => {})
}

/** The bytes of a connection, and the side that ended it. */
interface Connection {
  readonly sent: Buffer[]
  readonly received: Buffer[]
  first: 'client' | 'server' | null
}

function pairUp({ sent, received, first }: Connection): readonly WireExchange[] {
  const requests = messagesIn(Buffer.concat(sent), () => true)
  const hasBody = (at: number) => !requests[at]?.start.startsWith('HEAD ')
  const responses = messagesIn(Buffer.concat(received), hasBody)
  return requests.map((request, at) => {
    const isLeft = first === 'client' && at === requests.length - 1
    return { request, response: responses[at] ?? null, isLeft }
  })
}

/** Reads the messages of one direction of a connection; informational ones are left out. */
function messagesIn(bytes: Buffer, hasBody: (at: number) => boolean): readonly WireMessage[] {
  const messages: WireMessage[] = []
  for (let from = 0; from < bytes.length;) {
    const ended = bytes.indexOf('\r\n\r\n', from)
    if (ended < 0) break
    const [start = '', ...lines] = bytes.toString('latin1', from, ended).split('\r\n')
    const fields = fieldsIn(lines)
    from = ended + 4
    if (/^HTTP\/1\.1 1\d\d /.test(start)) continue
    const { end, ...content } = readBody(bytes, from, start, fields, hasBody(messages.length))
    messages.push({ start, fields, ...content })
    from = end
  }
  return messages
}

function readBody(
  bytes: Buffer,
  from: number,
  start: string,
  fields: Fields,
  hasBody: boolean,
): Omit<WireMessage, 'start' | 'fields'> & { readonly end: number } {
  const field = (wanted: string) => fields.find(([name]) => name.toLowerCase() === wanted)?.[1]
  const none = { trailers: [], isComplete: true }
  if (!hasBody || /^HTTP\/1\.1 (?:204|304) /.test(start))
    return { ...none, body: Buffer.alloc(0), end: from }
  if (/chunked/i.test(field('transfer-encoding') ?? '')) return readChunks(bytes, from)
  const isToEnd = start.startsWith('HTTP/') && field('content-length') === undefined
  const end = isToEnd ? bytes.length : from + Number(field('content-length') ?? 0)
  const body = bytes.subarray(from, end)
  return { ...none, body, end, isComplete: end <= bytes.length }
}

function readChunks(bytes: Buffer, from: number): ReturnType<typeof readBody> {
  const parts: Buffer[] = []
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at)
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16)
    const body = Buffer.concat(parts)
    if (Number.isNaN(size)) return { body, trailers: [], isComplete: false, end: bytes.length }
    if (size === 0) {
      const isPlain = bytes.indexOf('\r\n', line + 2) === line + 2
      const ended = isPlain ? line : bytes.indexOf('\r\n\r\n', line)
      if (ended < 0 || line + 4 > bytes.length)
        return { body, trailers: [], isComplete: false, end: bytes.length }
      const said = isPlain ? '' : bytes.toString('latin1', line + 2, ended)
      const trailers = fieldsIn(said === '' ? [] : said.split('\r\n'))
      return { body, trailers, isComplete: true, end: ended + 4 }
    }
    const part = bytes.subarray(line + 2, line + 2 + size)
    parts.push(part)
    at = line + 4 + size
  }
}

function fieldsIn(lines: readonly string[]): Fields {
  return lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at), line.slice(at + 1).trim()] as const
  })
}
