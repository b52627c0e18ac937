import type { IncomingMessage } from 'node:http'
import { ToolError } from 'loadout'
import { decodeText } from './decode-text.ts'
import { givenUp, networkFailure, statusFailure, timedOut } from './fetch-failure.ts'
import { pageUrl } from './page-url.ts'
import { readBody } from './read-body.ts'
import { requestOnce } from './request-once.ts'
import type { WebContext } from './web-context.ts'

/** A page of text as it came. */
export interface Page {
  /** Where it was found, after all redirects. */
  readonly url: URL
  readonly redirects: readonly string[]
  /** Without parameters, such as `text/html`. */
  readonly contentType: string
  readonly charset: string
  /** Bytes read, after decompression. */
  readonly bytes: number
  readonly text: string
  /** False when the page is larger than what was read. */
  readonly complete: boolean
}

const MOST_REDIRECTS = 5
const MOST_BYTES = 2 * 1024 * 1024
const TIME_LIMIT_MS = 10_000

/** Fetch a page of text, within the limits of size and time and following few redirects. */
export async function getPage(address: string, context: WebContext): Promise<Page> {
  const { allowPrivateHosts = false, ...services } = context.services ?? {}
  const { maxBytes = MOST_BYTES, timeoutMs = TIME_LIMIT_MS } = services
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([context.signal, timeout])
  let url = pageUrl(address)
  const redirects: string[] = []
  try {
    for (;;) {
      const message = await requestOnce(url, { allowPrivateHosts, signal })
      const target = redirectTarget(message, url)
      if (target === undefined) return await toPage(message, url, redirects, maxBytes)
      message.destroy()
      if (redirects.length === MOST_REDIRECTS) {
        throw new ToolError('PERMANENT', `The page redirects more than ${MOST_REDIRECTS} times.`)
      }
      redirects.push(url.href)
      url = target
    }
  } catch (error) {
    if (context.signal.aborted) throw givenUp(url)
    if (timeout.aborted) throw timedOut(url, timeoutMs)
    throw ToolError.is(error) ? error : networkFailure(error, url)
  }
}

const REDIRECTING: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function redirectTarget(message: IncomingMessage, from: URL): URL | undefined {
  const { location } = message.headers
  if (location === undefined || !REDIRECTING.has(message.statusCode ?? 0)) return undefined
  return pageUrl(location, from)
}

async function toPage(
  message: IncomingMessage,
  url: URL,
  redirects: readonly string[],
  maxBytes: number,
): Promise<Page> {
  const status = message.statusCode ?? 0
  const header = message.headers['content-type'] ?? 'text/html'
  const contentType = (header.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (status < 200 || status > 299) {
    message.destroy()
    throw statusFailure(status, url)
  }
  if (!isText(contentType)) {
    message.destroy()
    throw new ToolError('PERMANENT', `${url.href} is ${contentType}, not a page of text.`, {
      details: { contentType },
    })
  }
  const { bytes, complete } = await readBody(message, maxBytes)
  return {
    url,
    redirects,
    contentType,
    ...decodeText(bytes, header),
    bytes: bytes.length,
    complete,
  }
}

function isText(contentType: string): boolean {
  if (contentType.startsWith('text/')) return true
  return /^application\/(?:[\w.-]+\+)?(?:json|xml|javascript)$/.test(contentType)
}
