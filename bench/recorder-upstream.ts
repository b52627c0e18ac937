import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** The secrets that a server sends. */
export interface ServerSecrets {
  readonly cookie: string
  readonly account: string
}

/** The ways in which a request is answered. */
export const WAYS = [
  'json',
  'stream',
  'gzip',
  'br',
  'zstd',
  'deflate',
  'trailers',
  'limited',
  'overloaded',
  'failing',
  'cut',
  'slow',
] as const

export type Way = (typeof WAYS)[number]

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
}

/**
 * Creates a server that answers as the APIs of three providers, in the way that a request names in `x-bench`. Errors are
 * for the first attempt alone.
 */
export function createUpstream({ cookie, account }: ServerSecrets) {
  const attempts = new Map<string, number>()
  let count = 0
  return createServer((request, response) => {
    request.on('error', () => {})
    request.resume().once('end', () => {
      const id = String(request.headers['x-bench'])
      const attempt = (attempts.get(id) ?? 0) + 1
      attempts.set(id, attempt)
      count += 1
      response.setHeader('Request-Id', `req_${count}`)
      response.setHeader('set-cookie', [`session=${cookie}; Path=/`, `seen=${count}`])
      response.setHeader('OpenAI-Organization', account)
      response.setHeader('X-Odd-CASE', 'Ü ä'.normalize('NFC').replace(/[^\x20-\xff]/g, '?'))
      answer(request, response, id.split(':')[1] as Way, attempt)
    })
  })
}

function answer(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  way: Way,
  attempt: number,
): void {
  const isStream = way === 'stream' || way === 'cut' || way === 'slow'
  const error = ERRORS[way]
  if (error !== undefined && attempt === 1) {
    response.writeHead(error.status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
    response.end(JSON.stringify({ error: { type: error.type, message: 'Not now.', code: 1 } }))
    return
  }
  if (isStream) return void stream(url, response, way)
  const text = JSON.stringify(plainAnswer(url))
  if (way === 'trailers') {
    response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-sum' })
    response.write(text.slice(0, 9))
    response.addTrailers({ 'x-sum': String(text.length), 'X-Second': 'b' })
    response.end(text.slice(9))
    return
  }
  const encode = ENCODERS[way]
  const encoding = encode === undefined ? {} : { 'content-encoding': way }
  const body = encode?.(text) ?? Buffer.from(text)
  const length = { 'content-length': body.length }
  response.writeHead(200, { 'content-type': 'application/json', ...encoding, ...length })
  response.end(body)
}

const ERRORS: Readonly<Partial<Record<Way, { readonly status: number; readonly type: string }>>> = {
  limited: { status: 429, type: 'rate_limit_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
  failing: { status: 500, type: 'api_error' },
}

/** Sends events: all of them, or some and the connection is cut, or so slowly that the client leaves. */
async function stream(url: string, response: ServerResponse, way: Way): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = streamedAnswer(url)
  for (const [at, event] of events.entries()) {
    if (response.destroyed) return
    response.write(event)
    await new Promise((done) => setTimeout(done, way === 'slow' && at > 0 ? 500 : 0))
    if (way === 'cut' && at === 1) return void response.destroy()
  }
  response.end()
}

const WORDS = 'word '.repeat(40)

function plainAnswer(url: string): unknown {
  if (url.includes('/messages')) {
    const usage = { input_tokens: 50, cache_read_input_tokens: 10, output_tokens: 3 }
    const content = [{ type: 'text', text: WORDS }]
    return { id: 'm', type: 'message', role: 'assistant', model: 'm', content, usage }
  }
  if (url.includes('/chat/completions')) {
    const usage = { prompt_tokens: 50, completion_tokens: 3, total_tokens: 53 }
    const message = { role: 'assistant', content: WORDS }
    const choices = [{ index: 0, finish_reason: 'stop', message }]
    return { id: 'c', object: 'chat.completion', model: 'm', created: 1, choices, usage }
  }
  if (url.includes('/responses')) {
    const usage = { input_tokens: 50, output_tokens: 3, total_tokens: 53 }
    const content = [{ type: 'output_text', text: WORDS, annotations: [] }]
    const output = [{ id: 'o', type: 'message', role: 'assistant', status: 'completed', content }]
    return { id: 'r', object: 'response', status: 'completed', model: 'm', output, usage }
  }
  const usageMetadata = { promptTokenCount: 50, candidatesTokenCount: 3, totalTokenCount: 53 }
  const content = { role: 'model', parts: [{ text: WORDS }] }
  return { candidates: [{ content, finishReason: 'STOP' }], usageMetadata }
}

function streamedAnswer(url: string): readonly string[] {
  const event = (data: unknown, name?: string) =>
    `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
  const texts = Array.from({ length: 8 }, (_, at) => `${WORDS}${at}`)
  if (url.includes('/messages')) {
    const typed = (type: string, more: object = {}) => event({ type, ...more }, type)
    const message = { ...(plainAnswer(url) as object), content: [] }
    const delta = (text: string) =>
      typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
    const usage = { output_tokens: 3 }
    return [
      typed('message_start', { message }),
      typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...texts.map(delta),
      typed('content_block_stop', { index: 0 }),
      typed('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
      typed('message_stop'),
    ]
  }
  if (url.includes('/chat/completions')) {
    const chunk = (content: string) => {
      const choices = [{ index: 0, delta: { content }, finish_reason: null }]
      return event({ id: 'c', object: 'chat.completion.chunk', model: 'm', created: 1, choices })
    }
    return [...texts.map(chunk), 'data: [DONE]\n\n']
  }
  if (url.includes('/responses')) {
    const delta = (text: string, at: number) =>
      event({ type: 'response.output_text.delta', sequence_number: at, delta: text })
    const done = { type: 'response.completed', response: plainAnswer(url) }
    return [...texts.map(delta), event(done)]
  }
  return texts.map((text) => {
    const content = { role: 'model', parts: [{ text }] }
    const usageMetadata = { promptTokenCount: 50, candidatesTokenCount: 3 }
    return event({ candidates: [{ content }], usageMetadata })
  })
}
