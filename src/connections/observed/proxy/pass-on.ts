import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { sanitiseLine, thrownMessage } from '../../../entries/kit.ts'
import { type Exchange, type ExchangeListener, ShieldedExchange } from './exchange-listener.ts'

/** Bytes of a head, in each direction. */
export const LONGEST_HEAD = 262_144

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
  { route, base, rest }: Target,
  { agent, listener }: { readonly agent: Agent; readonly listener: ExchangeListener },
): void {
  const { method = '', rawHeaders: headers, socket } = request
  const joined = base.pathname.replace(/\/$/, '') + rest
  const path = joined.startsWith('/') ? joined : `/${joined}`
  const head = { route, method, url: base.origin + path, headers, at: Date.now() }
  const exchange = new ShieldedExchange(() => listener.begin(head))
  const outgoing = startRequest(request, base, path, agent)
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
    answer.once('close', () => {
      if (!answer.complete) fail('the answer broke off')
    })
    try {
      passAnswer(answer, response, exchange)
    } catch (error) {
      // A head that Node reads but does not write.
      fail(error)
    }
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

function startRequest(request: IncomingMessage, base: URL, path: string, agent: Agent) {
  const outgoing = requestHttp({
    ...urlToHttpOptions(base),
    method: request.method ?? '',
    path,
    agent,
    headers: passedFields(request, true, base.host),
    setDefaultHeaders: false,
    maxHeaderSize: LONGEST_HEAD,
  })
  outgoing.maxHeadersCount = 0
  // Heads are read in this encoding, and written in another one without it.
  outgoing.once('socket', (socket) => socket.setDefaultEncoding('latin1'))
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

function passAnswer(answer: IncomingMessage, response: ServerResponse, exchange: Exchange): void {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders: headers } = answer
  const hasBody = response.req.method !== 'HEAD' && status !== 204 && status !== 304
  response.sendDate = false
  response.writeHead(status, statusText, passedFields(answer, hasBody))
  response.flushHeaders()
  answer.once('end', () => response.addTrailers(pairs(answer.rawTrailers)))
  answer.pipe(response)
  exchange.answered({ status, statusText, headers, at: Date.now() })
  answer.on('data', (bytes: Buffer) => exchange.responsePart(bytes))
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
