import type { FetchLike, Transport } from '@modelcontextprotocol/client'
import { Budget } from '../../../workspace/commands/budget.ts'

/** Bytes of one message, and of the messages of a pipe: characters. The host may choose another limit. */
export const LONGEST_MESSAGE = 10_485_760

/** Names a message that is longer than it may be. */
export function messageOver(bytes: number): string {
  return `a message over ${Budget.size(bytes)}`
}

/**
 * Returns a listener that counts the messages that nobody asked for.
 *
 * @param onCount gets what they are over, in words, or null
 */
export function countMessages(
  onCount: (over: string | null) => void,
): NonNullable<Transport['onmessage']> {
  const notifications = new Budget('notifications')
  const requests = new Budget('requests')
  const unasked = new Budget('unasked')
  return (message) => {
    if (!('method' in message)) return
    const { length } = JSON.stringify(message)
    const over = ('id' in message ? requests : notifications).take()
    onCount(over ?? unasked.take(length))
  }
}

/** The error of a request that the server does not take now. It says when it does. */
export class TryLater extends Error {
  override readonly name = 'TryLater'
  readonly status: number
  readonly retryAfterMs: number

  constructor(status: number, retryAfterMs: number, text: string) {
    super(`The server answered ${status}, and takes requests again in ${retryAfterMs} ms. ${text}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** Statuses of a server that takes no requests for a time. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/**
 * Returns a `fetch` whose responses end with an error at a message that is too long: at a body that is one message, or at
 * an event of a stream, which may go on for ever. It rejects with `TryLater` where the server says when to try again.
 *
 * @param onTooLong called before the error
 */
export function boundedFetch(fetch: FetchLike, longest: number, onTooLong: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    const { status, statusText, headers } = response
    const waitMs = BUSY.has(status) ? retryAfterMs(headers.get('retry-after'), Date.now()) : null
    if (waitMs !== null) {
      await response.body?.cancel()
      throw new TryLater(status, waitMs, statusText)
    }
    if (response.body === null) return response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
    let total = 0
    const bytes = isStream ? eventBytes(longest) : (chunk: Uint8Array) => (total += chunk.length)
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (bytes(chunk) <= longest) return controller.enqueue(chunk)
          onTooLong()
          controller.error(new Error('A message of the server is too long.'))
        },
      }),
    )
    const bounded = new Response(counted, { status, statusText, headers })
    // A response of one's own has no address, and redirections are compared with it.
    Object.defineProperty(bounded, 'url', { value: response.url })
    return bounded
  }
}

/** Reads the header `Retry-After`: seconds, or a date. Returns milliseconds from now; null for anything else. */
function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}

const NEWLINE = 10

const RETURN = 13

/** Counts the bytes of the event that a stream is in. An empty line ends an event. */
function eventBytes(longest: number): (chunk: Uint8Array) => number {
  let event = 0
  let isLineEmpty = true
  return (chunk) => {
    for (const byte of chunk) {
      event = byte === NEWLINE && isLineEmpty ? 0 : event + 1
      if (byte !== RETURN) isLineEmpty = byte === NEWLINE
      if (event > longest) break
    }
    return event
  }
}
