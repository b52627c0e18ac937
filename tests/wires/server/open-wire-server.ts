import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { checkRequest, NOTHING_EARLIER } from '../check-request.ts'
import { checkResponse } from '../check-response.ts'
import { isObject, type JsonObject, type Violation, type Wire } from '../wire.ts'
import {
  type Answer,
  type ErrorAnswer,
  type ModelAnswer,
  type RawAnswer,
  readAnswer,
} from './answer.ts'
import { ANTHROPIC_FORM } from './anthropic-form.ts'
import { CHAT_FORM } from './chat-form.ts'
import { GEMINI_FORM } from './gemini-form.ts'
import { keepConversations } from './kept-conversations.ts'
import { RESPONSES_FORM } from './responses-form.ts'
import type { AnswerContext, StreamEvent, WireForm } from './wire-form.ts'

/** A request as it came over the socket. */
export interface WireRequest {
  readonly wire: Wire
  /** Such as `/v1/messages?beta=true`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The betas of the header `anthropic-beta`. */
  readonly betas: readonly string[]
  /** The bytes of the body. */
  readonly bytes: Buffer
  readonly body: JsonObject
  /** Counts the requests from 0. */
  readonly index: number
  /** Aborted when the client leaves before it has the whole answer. */
  readonly signal: AbortSignal
}

/** Writes the answer to a request: a model that is scripted by a function. */
export type ScriptedModel = (request: WireRequest) => Answer | Promise<Answer>

export interface WireServerOptions {
  /** One answer for each request, in order; or a function that is asked for each. */
  readonly answers: readonly Answer[] | ScriptedModel
  /** Requests with one of these betas get status 400; they use up no answer of a list. */
  readonly refusedBetas?: readonly string[]
  /** The models that it lists at `/v1/models`; one named `local` when absent. */
  readonly models?: readonly JsonObject[]
}

/** A server on loopback that speaks the wires of OpenAI, Anthropic and Gemini. */
export interface WireServer {
  /** Such as `http://127.0.0.1:40123`. The paths begin with `/v1`. */
  readonly url: string
  /** The requests so far, in order. */
  readonly requests: readonly WireRequest[]
  /** Faults of the requests, and of the answers that are not faulty on purpose. A test expects none. */
  readonly violations: readonly Violation[]
  /** The number of responses and events that were checked. */
  readonly checked: {
    readonly requests: number
    readonly responses: number
    readonly events: number
  }
  close(): Promise<void>
}

/** Opens a server that checks every request, and every answer that it sends. */
export async function openWireServer({
  answers,
  refusedBetas = [],
  models = [{ id: 'local', object: 'model' }],
}: WireServerOptions): Promise<WireServer> {
  const conversations = keepConversations()
  const requests: WireRequest[] = []
  const violations: Violation[] = []
  const checked = { requests: 0, responses: 0, events: 0 }
  let used = 0

  const answerTo = async (request: WireRequest): Promise<Answer> => {
    const refused = request.betas.find((beta) => refusedBetas.includes(beta))
    if (refused !== undefined) {
      const message = `Unexpected value(s) \`${refused}\` for the \`anthropic-beta\` header.`
      return { status: 400, message }
    }
    if (typeof answers === 'function') return answers(request)
    const answer = answers[used]
    used += 1
    if (answer !== undefined) return answer
    violations.push(violationOf(request, 'script', 'The script has no answer for this request.'))
    return { status: 400, message: 'The script is over.' }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET' && incoming.url === '/v1/models') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', data: models }))
      return
    }
    const left = new AbortController()
    response.on('close', () => {
      if (!response.writableFinished) left.abort()
    })
    const request = readRequest(incoming, await buffer(incoming), requests.length, left.signal)
    if (request === undefined) {
      response.writeHead(404).end()
      const message = `${incoming.method} ${incoming.url} is no wire.`
      const wire = 'openai-chat'
      violations.push({ request: requests.length, wire, in: 'request', check: 'path', message })
      return
    }
    requests.push(request)
    const before = conversations.before(request)
    if (before === undefined) {
      const message = 'The request continues an answer that is not kept.'
      violations.push(violationOf(request, 'earlier-answer-is-kept', message))
    }
    const toCheck = { ...request, earlier: before ?? NOTHING_EARLIER }
    violations.push(...(await checkRequest(toCheck, request.index)))
    checked.requests += 1
    const answer = readAnswer(await answerTo(request))
    if (!('status' in answer || 'raw' in answer) && answer.broken === undefined) {
      const { wire, body, index } = request
      const whole = WIRE_FORMS[wire].response(answer, { wire, body, number: index + 1 })
      conversations.keep(request, toCheck.earlier, whole)
    }
    await send(response, request, answer, async (sent) => {
      violations.push(...(await checkResponse(toCheck, sent, request.index)))
      if (isObject(sent)) checked.responses += 1
      else checked.events += sent.length
    })
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      const wire = 'openai-chat'
      violations.push({ request: requests.length, wire, in: 'response', check: 'server', message })
      response.destroy()
    })
  })
  // A server that closes an idle connection resets a client that is about to use it again.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    violations,
    checked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const WIRE_FORMS: Readonly<Record<Wire, WireForm>> = {
  'openai-responses': RESPONSES_FORM,
  'openai-chat': CHAT_FORM,
  anthropic: ANTHROPIC_FORM,
  'anthropic-beta': ANTHROPIC_FORM,
  gemini: GEMINI_FORM,
}

function readRequest(
  incoming: IncomingMessage,
  bytes: Buffer,
  index: number,
  signal: AbortSignal,
): WireRequest | undefined {
  const { method, url: path = '' } = incoming
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(',')]),
  )
  const betas = (headers['anthropic-beta'] ?? '').split(',').filter((beta) => beta !== '')
  const wire = wireOf(path, betas)
  const body: unknown = method === 'POST' ? JSON.parse(bytes.toString('utf8')) : undefined
  if (wire === undefined || !isObject(body)) return undefined
  return {
    wire,
    path,
    headers,
    betas: betas.map((beta) => beta.trim()),
    bytes,
    body,
    index,
    signal,
  }
}

function wireOf(path: string, betas: readonly string[]): Wire | undefined {
  const { pathname, searchParams } = new URL(path, 'http://loopback')
  if (pathname === '/v1/responses') return 'openai-responses'
  if (pathname === '/v1/chat/completions') return 'openai-chat'
  if (/^\/v1(?:beta)?\/models\/[^/]+:(?:g|streamG)enerateContent$/u.test(pathname)) return 'gemini'
  if (pathname !== '/v1/messages') return undefined
  return betas.length > 0 || searchParams.has('beta') ? 'anthropic-beta' : 'anthropic'
}

type Check = (sent: JsonObject | readonly StreamEvent[]) => Promise<void>

async function send(
  response: ServerResponse,
  { wire, path, body, index }: WireRequest,
  answer: ModelAnswer | ErrorAnswer | RawAnswer,
  check: Check,
): Promise<void> {
  const form = WIRE_FORMS[wire]
  const context: AnswerContext = { wire, body, number: index + 1 }
  if ('raw' in answer) {
    response.setHeader('content-type', answer.contentType ?? 'text/event-stream')
    await write(response, [answer.raw].flat(), answer.drop === true)
    return
  }
  if ('status' in answer) {
    // Clients try again after a time of their own choice, unless the answer has one.
    const headers = { 'retry-after-ms': '1', 'content-type': 'application/json', ...answer.headers }
    response.writeHead(answer.status, headers).end(JSON.stringify(form.error(answer, context)))
    return
  }
  const { broken } = answer
  if (body.stream !== true && !path.includes(':stream')) {
    const whole = form.response(answer, context)
    if (answer.faulty !== true) await check(whole)
    const text = JSON.stringify(whole)
    response.setHeader('content-type', 'application/json')
    response.setHeader('content-length', Buffer.byteLength(text))
    await write(response, [broken === undefined ? text : text.slice(0, -9)], broken !== undefined)
    return
  }
  const events = form.events(answer, context)
  if (answer.faulty !== true) await check(events)
  const first = events.slice(0, broken?.after)
  const sent = broken?.by === 'error' ? [...first, form.errorEvent(first.length)] : first
  response.setHeader('content-type', 'text/event-stream')
  await write(response, sent.map(eventText), broken?.by === 'drop')
}

function eventText({ event, data }: StreamEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`
  return `${name}data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`
}

/** Writes pieces one after the other; a connection that is cut is cut after its last byte was passed on. */
async function write(
  response: ServerResponse,
  pieces: readonly string[],
  drop: boolean,
): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((resolve) => {
      response.write(piece, () => resolve())
    })
  }
  if (drop) response.destroy()
  else response.end()
}

function violationOf({ index, wire }: WireRequest, check: string, message: string): Violation {
  return { request: index, wire, in: 'request', check, message }
}
