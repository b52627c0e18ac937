import {
  type Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { sanitiseLine, thrownMessage } from '../../../entries/kit.ts'
import { type ExchangeListener, ShieldedExchange } from './exchange-listener.ts'

/** Bytes of a head, in each direction. */
export const LONGEST_HEAD = 262_144

/** Connections to upstreams, which are reused. */
export interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

/** The destination of a request. */
export interface Target {
  readonly route: string
  readonly base: URL
  /** The path after the base, with the query. */
  readonly rest: string
}

/** Sends a request to its upstream, and the answer to the client. Bytes are sent when they arrive. */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  { agents, listener }: { readonly agents: Agents; readonly listener: ExchangeListener },
): void {
  const { method = '', rawHeaders: headers, socket } = request
  const { route, base } = target
  const url = base.origin + upstreamPath(target)
  const head = { route, method, url, headers, at: Date.now() }
  const exchange = new ShieldedExchange(() => listener.begin(head))
  const outgoing = startRequest(request, target, agents)
  let hasFailed = false
  const fail = (reason: unknown) => {
    outgoing.destroy()
    if (response.writableEnded) return
    hasFailed = true
    const why = sanitiseLine(thrownMessage(reason))
    if (!response.headersSent) answerError(response, 502, `${base.origin} did not answer: ${why}`)
    // Sends what was passed on, but no end of the message.
    else response.socket?.destroySoon()
  }
  const abort = () => outgoing.destroy()
  socket.once('close', abort)
  outgoing.once('close', () => {
    socket.off('close', abort)
    // The client may still be sending.
    request.unpipe(outgoing).resume()
    if (!response.headersSent) fail('the connection was closed')
  })
  outgoing.on('error', fail)
  outgoing.once('response', (answer) => {
    try {
      passAnswer(answer, response)
    } catch (error) {
      // A head that Node reads but does not write.
      fail(error)
      return
    }
    answer.once('close', () => {
      if (!answer.complete) fail('the answer broke off')
    })
    const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer
    exchange.answered({ status, statusText, headers: rawHeaders, at: Date.now() })
    answer.on('data', (bytes: Buffer) => exchange.responsePart(bytes))
  })
  passInformation(outgoing, response)
  response.once('close', () => {
    const how = response.writableFinished ? 'complete' : 'client-aborted'
    exchange.ended(hasFailed ? 'upstream-failed' : how, Date.now())
  })
  request.pipe(outgoing)
  request.on('data', (bytes: Buffer) => exchange.requestPart(bytes))
}

/** Answers a request that is not passed on. */
export function answerError(response: ServerResponse, status: number, message: string): void {
  // The form of the errors of Anthropic, in which clients of OpenAI find the message, too.
  const body = JSON.stringify({ type: 'error', error: { type: 'proxy_error', message } })
  const type = 'application/json'
  const fields = { 'content-type': type, 'content-length': Buffer.byteLength(body) }
  // The text is given, since an answer that could not be passed on has left its own.
  response.writeHead(status, STATUS_CODES[status] ?? '', fields)
  response.end(body)
}

/** Lets Node write heads in the encoding in which it reads them, also those that it writes before a body. */
export function writeLatin1(socket: Socket): void {
  socket.setDefaultEncoding('latin1')
}

function upstreamPath({ base, rest }: Target): string {
  const path = base.pathname.replace(/\/$/, '') + rest
  return path.startsWith('/') ? path : `/${path}`
}

function startRequest(request: IncomingMessage, target: Target, agents: Agents): ClientRequest {
  const { method = '' } = request
  const { base } = target
  const options = {
    ...urlToHttpOptions(base),
    method,
    path: upstreamPath(target),
    headers: passedFields(request, true, base.host),
    setDefaultHeaders: false,
    maxHeaderSize: LONGEST_HEAD,
  }
  const outgoing =
    base.protocol === 'https:'
      ? requestHttps({ ...options, agent: agents.https })
      : requestHttp({ ...options, agent: agents.http })
  outgoing.maxHeadersCount = 0
  outgoing.once('socket', writeLatin1)
  outgoing.flushHeaders()
  request.once('end', () => outgoing.addTrailers(pairs(request.rawTrailers)))
  return outgoing
}

function passInformation(outgoing: ClientRequest, response: ServerResponse): void {
  outgoing.on('continue', () => response.writeContinue())
  outgoing.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
    if (statusCode === 100) return
    const lines = pairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`
    response.socket?.write(head, 'latin1')
  })
}

function passAnswer(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 0, statusMessage } = answer
  const hasBody = response.req.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304
  response.sendDate = false
  response.writeHead(statusCode, statusMessage, passedFields(answer, hasBody))
  response.flushHeaders()
  answer.once('end', () => response.addTrailers(pairs(answer.rawTrailers)))
  answer.pipe(response)
}

/** Fields of the connection, which are not passed on (RFC 9110, section 7.6.1). */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']

/** Fields without which a message is another one: `Connection` does not remove them. */
const OF_MESSAGE: ReadonlySet<string> = new Set(['content-length', 'host', 'transfer-encoding'])

/**
 * Returns the header fields of a message that are passed on, names and values in turn.
 *
 * @param host the value of `Host` at the upstream of a request
 */
function passedFields(message: IncomingMessage, hasBody: boolean, host?: string): string[] {
  const { headers, rawHeaders } = message
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...named, ...OF_CONNECTION]).difference(OF_MESSAGE)
  // Node writes `Trailer` only with chunks, without which there are no trailers.
  if (!hasBody || headers['transfer-encoding'] === undefined) dropped.add('trailer')
  if (!hasBody) dropped.add('transfer-encoding')
  let length = 0
  return pairs(rawHeaders).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    if (key === 'content-length') length = Number(value)
    if (dropped.has(key)) return []
    if (key === 'host' && host !== undefined) return [name, host]
    // The coding that an answer up to the end of its connection gets instead of that end.
    if (key === 'transfer-encoding' && !/chunked/i.test(value)) return [name, `${value}, chunked`]
    // Node reads the bytes of this field as UTF-8, but only after a length.
    if (key === 'content-disposition' && length > 0)
      return [name, Buffer.from(value, 'utf8').toString('latin1')]
    return [name, value]
  })
}

function pairs(flat: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: flat.length / 2 }, (_, at) => [
    flat[2 * at] ?? '',
    flat[2 * at + 1] ?? '',
  ])
}
