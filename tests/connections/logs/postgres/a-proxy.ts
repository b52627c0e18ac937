import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A network between a log and its server that fails on demand. */
export interface Proxy {
  /** The server's address, through it. */
  readonly url: string
  /** Connections that were cut at a moment that was asked for. */
  readonly cuts: number
  /** Hand the next request over, and cut its connection when the server answers, without the answer. */
  cutAfterNextRequest(options?: { readonly thenRefuse: boolean }): void
  /** Do something while the next request is on its way, then cut its connection; it never arrives. */
  cutBeforeNextRequest(meanwhile: () => Promise<unknown>): void
  /** Let the server end the next connection in the same breath in which it is made. */
  endNextConnection(): void
  /** Cut every connection and take no new one. */
  refuse(): void
  /** Fail no more. */
  heal(): void
  stop(): Promise<void>
}

type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'end' }
  | { readonly kind: 'cut-after'; readonly thenRefuse: boolean }
  | { readonly kind: 'cut-before'; readonly meanwhile: () => Promise<unknown> }

/** First byte of what carries out a statement: a simple query, one to be parsed, one that was. */
const QUERY = new Set(['Q', 'P', 'B'].map((letter) => letter.charCodeAt(0)))

/** The message of a server that is ready for a statement. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')
/** The last message to a connection that was ended. */
const ENDED = Buffer.from('E\0\0\0\x1aSFATAL\0C57P01\0Mended\0\0', 'latin1')

export async function aProxy(server: string): Promise<Proxy> {
  const target = new URL(server)
  const open = new Set<Socket>()
  let fault: Fault = { kind: 'none' }
  let cuts = 0
  const cutAll = () => open.forEach((socket) => socket.destroy())
  const listener = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    let isCut = false
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    if (fault.kind === 'refuse') return void near.destroy()
    near.on('data', (bytes: Buffer) => {
      const isQuery = QUERY.has(bytes[0] ?? 0)
      if (isQuery && fault.kind === 'cut-before') {
        const { meanwhile } = fault
        fault = { kind: 'none' }
        cuts += 1
        return void meanwhile().finally(() => near.destroy())
      }
      if (isQuery && fault.kind === 'cut-after') {
        fault = fault.thenRefuse ? { kind: 'refuse' } : { kind: 'none' }
        isCut = true
        cuts += 1
      }
      far.write(bytes)
    })
    far.on('data', (bytes: Buffer) => {
      if (isCut) return void near.destroy()
      if (fault.kind !== 'end' || !bytes.subarray(-READY.length).equals(READY)) {
        return void near.write(bytes)
      }
      fault = { kind: 'none' }
      cuts += 1
      near.end(Buffer.concat([bytes, ENDED]))
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = new URL(server)
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    get cuts() {
      return cuts
    },
    cutAfterNextRequest({ thenRefuse } = { thenRefuse: false }) {
      fault = { kind: 'cut-after', thenRefuse }
    },
    cutBeforeNextRequest(meanwhile) {
      fault = { kind: 'cut-before', meanwhile }
    },
    endNextConnection() {
      fault = { kind: 'end' }
    },
    refuse() {
      fault = { kind: 'refuse' }
      cutAll()
    },
    heal() {
      fault = { kind: 'none' }
    },
    async stop() {
      cutAll()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
