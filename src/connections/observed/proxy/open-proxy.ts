import { once } from 'node:events'
import {
  Agent as HttpAgent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { WorkspaceError } from '../../../entries/index.ts'
import type { ExchangeListener } from './exchange-listener.ts'
import { answerError, LONGEST_HEAD, passOn, type Target } from './pass-on.ts'

/** Milliseconds that running exchanges have after `close`. */
const GRACE_MS = 1_000

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Opens a proxy on this machine that passes requests on to upstreams: `/<route>/<rest>` to `<base>/<rest>`. Bodies and
 * header fields are not changed, but for `Host` and the fields of the connection. Nothing is retried.
 *
 * Only clients of this machine are served, and no website: other names of the host and other origins are refused.
 *
 * @throws WorkspaceError `OPTIONS_INVALID` when an upstream is neither `https:` nor on this machine
 */
export async function openProxy(options: {
  /** The base URL of each upstream, by the first part of the path. */
  readonly routes: ReadonlyMap<string, URL>
  /** A free port when absent. */
  readonly port?: number
  readonly listener: ExchangeListener
  /** `HTTPS_PROXY` and `NO_PROXY`, by which upstreams are reached. One on this machine is reached without. */
  readonly env?: Readonly<Record<string, string | undefined>>
}): Promise<{
  readonly port: number
  /** Accepts nothing more, and resolves when running exchanges have ended, which are cut short after a second. */
  close(): Promise<void>
}> {
  const { routes, listener } = options
  for (const [route, base] of routes) checkUpstream(route, base)
  const http = new HttpAgent({ keepAlive: true })
  const https = new HttpsAgent({ keepAlive: true, proxyEnv: { ...options.env } })
  const { server, close } = createGracefulServer((request, response) => {
    const target = findTarget(request, routes, port)
    if ('status' in target) answerError(response, target.status, target.message)
    else {
      const agent = target.base.protocol === 'https:' ? https : http
      passOn(request, response, target, { agent, listener })
    }
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      await close()
      http.destroy()
      https.destroy()
    },
  }
}

/** Creates a server, and a function that closes it when its running exchanges have ended. */
function createGracefulServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const connections = new Set<Socket>()
  const running = new Set<ServerResponse>()
  // The upstream and the client have time limits of their own.
  const limits = { maxHeaderSize: LONGEST_HEAD, requestTimeout: 0, keepAliveTimeout: 0 }
  const server = createServer(limits)
  server.maxHeadersCount = 0
  server.on('connection', (socket: Socket) => {
    // Heads are read in this encoding, and written in another one without it.
    socket.setDefaultEncoding('latin1')
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  // Called by `close`, where Node would also cut answers whose end a slow client has not yet read.
  server.closeIdleConnections = () => {
    const busy = new Set(Array.from(running, ({ req }) => req.socket))
    for (const socket of connections) if (!busy.has(socket)) socket.destroySoon()
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (response.socket === null) {
      // A pipelined request waits for its turn.
      response.once('socket', () => handle(request, response))
      return
    }
    running.add(response)
    response.once('close', () => {
      running.delete(response)
      if (!server.listening) server.closeIdleConnections()
    })
    answer(request, response)
  }
  // A client that waits for "100 Continue" gets it from the upstream.
  server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle)
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    await closed
    clearTimeout(grace)
    // The sockets of answers that were cut off close after their server.
    await Promise.all(Array.from(running, (response) => once(response, 'close')))
  }
  return { server, close }
}

function checkUpstream(route: string, base: URL): void {
  const { protocol, hostname, username, password, search, hash } = base
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
  if (isSafe && username + password + search + hash === '') return
  const why = isSafe ? 'has more than a host and a path' : 'is neither https: nor on this machine'
  const shown = `${base.protocol}//${base.host}${base.pathname}`
  throw new WorkspaceError('OPTIONS_INVALID', `The upstream of "${route}" ${why}: ${shown}`, {
    facts: { option: 'routes', route },
    hint: 'Give a URL such as https://api.anthropic.com, or http: for a server on this machine.',
  })
}

/** Returns the destination of a request, or the answer to one that is not passed on. */
function findTarget(
  { url = '', rawHeaders, httpVersion }: IncomingMessage,
  routes: ReadonlyMap<string, URL>,
  port: number,
): Target | { readonly status: number; readonly message: string } {
  const values = (name: string) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
  const [host, origin] = [values('host'), values('origin')]
  const hosts = LOOPBACK.map((name) => `${name}:${port}`)
  const isHere = host.length > 0 && host.every((name) => hosts.includes(name.toLowerCase()))
  if (!isHere) return { status: 403, message: `The Host header must be ${hosts.join(' or ')}.` }
  if (!origin.every((name) => URL.canParse(name) && LOOPBACK.includes(new URL(name).hostname)))
    return { status: 403, message: 'Requests of websites are refused.' }
  if (httpVersion !== '1.1') return { status: 505, message: 'Only HTTP/1.1 is supported.' }
  const [, route = '', rest = ''] = /^\/([^/?]*)(.*)$/s.exec(url) ?? []
  const base = routes.get(route)
  if (base !== undefined) return { route, base, rest }
  const known = [...routes.keys()].map((name) => `/${name}/`).join(', ')
  return { status: 404, message: `There is no route "${route}" here. Routes: ${known}` }
}
