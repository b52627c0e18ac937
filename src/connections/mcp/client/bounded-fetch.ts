import type { FetchLike } from '@modelcontextprotocol/client'

/** Bytes of one message, and of the messages of a pipe: characters. */
export const LONGEST_MESSAGE = 10_485_760

/**
 * Returns a `fetch` whose responses end with an error at a message that is too long: at a body that is one message, or at
 * an event of a stream, which may go on for ever.
 *
 * @param onTooLong called before the error
 */
export function boundedFetch(fetch: FetchLike, onTooLong: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    let total = 0
    const bytes = isStream ? eventBytes() : (chunk: Uint8Array) => (total += chunk.length)
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (bytes(chunk) <= LONGEST_MESSAGE) return controller.enqueue(chunk)
          onTooLong()
          controller.error(new Error('A message of the server is too long.'))
        },
      }),
    )
    const { status, statusText, headers } = response
    const bounded = new Response(counted, { status, statusText, headers })
    // A response of one's own has no address, and redirections are compared with it.
    Object.defineProperty(bounded, 'url', { value: response.url })
    return bounded
  }
}

const NEWLINE = 10

const RETURN = 13

/** Counts the bytes of the event that a stream is in. An empty line ends an event. */
function eventBytes(): (chunk: Uint8Array) => number {
  let event = 0
  let isLineEmpty = true
  return (chunk) => {
    for (const byte of chunk) {
      event = byte === NEWLINE && isLineEmpty ? 0 : event + 1
      if (byte !== RETURN) isLineEmpty = byte === NEWLINE
      if (event > LONGEST_MESSAGE) break
    }
    return event
  }
}
