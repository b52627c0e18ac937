import { ToolError } from 'loadout'
import { readLimited } from './read-limited.ts'

/** An answer that was read whole. */
export interface Answer {
  readonly status: number
  /** Without parameters, such as `application/json`; empty when the server did not say. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

interface RequestOptions {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  readonly maxBytes?: number
}

const MOST_BYTES = 1024 * 1024

/**
 * Ask a server once. Redirects are refused: where one leads was not looked at, and it is how a
 * server that may be reached sends a client to one that may not. Throws `ToolError` for what
 * goes wrong on the way; the status is the caller's business.
 */
export async function request(
  url: URL,
  { method = 'GET', headers = {}, body, signal, maxBytes = MOST_BYTES }: RequestOptions,
): Promise<Answer> {
  try {
    const sent = { method, headers, signal, redirect: 'manual' as const }
    const response = await fetch(url, body === undefined ? sent : { ...sent, body })
    return await read(response, url, maxBytes)
  } catch (error) {
    if (ToolError.is(error)) throw error
    if (signal.aborted) throw new ToolError('ABORTED', `The request to ${url.host} was given up.`)
    throw new ToolError('TRANSIENT', `${url.host} cannot be reached: ${causeOf(error)}.`)
  }
}

async function read(response: Response, url: URL, maxBytes: number): Promise<Answer> {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    await response.body?.cancel()
    throw new ToolError('PERMANENT', `${url.host} redirects, and redirects are not followed.`, {
      details: { status, location: headers.get('location') },
    })
  }
  const contentType = (headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  const bytes = await readLimited(response, maxBytes)
  return { status, contentType: contentType.trim().toLowerCase(), bytes }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the request failed'
}
