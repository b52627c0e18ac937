import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sanitiseLine, thrownMessage } from '../../../entries/kit.ts'
import { constantTimeEqual } from '../../../kernel/content-hash.ts'
import { createPageReader, type PageSession } from './create-page-reader.ts'
import { pagePolicy, writePage } from './write-page.ts'

/** The most connections at a time. Further ones are closed at once. */
const MOST_CONNECTIONS = 32

/** Milliseconds for the head of a request, and without a byte sent or received. */
const LIMITS = { headersTimeout: 5000, requestTimeout: 10_000, idle: 20_000 }

/**
 * Serves the page of a session on this machine, read-only: nothing that is sent to it changes anything. The page
 * asks for the number of the newest entry, and reloads itself when there is another.
 *
 * The address has a random token. A request with another `Host` or `Origin` is refused, so that no website can reach
 * the page, not even through a name that it points at this machine.
 */
export async function servePage(session: PageSession): Promise<{
  /** The address, with the token that alone gives access. */
  readonly url: string
  close(): Promise<void>
}> {
  const { workspace } = session
  const current = currentPage(session)
  const token = randomBytes(24).toString('base64url')
  const newest = () => String(workspace.state.seq)
  let origin = ''
  const answer = async ({ method, headers, url = '' }: IncomingMessage): Promise<Answer> => {
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'Only GET.\n' }
    const isForeign = headers.origin !== undefined && headers.origin !== origin
    if (isForeign || `http://${headers.host}` !== origin) return { status: 403, text: 'Refused.\n' }
    const isPoll = constantTimeEqual(url, `/${token}/newest`)
    if (!isPoll && !constantTimeEqual(url, `/${token}/`))
      return { status: 404, text: 'Not here.\n' }
    if (await isDeleted(workspace)) return { status: 410, text: 'The session was deleted.\n' }
    if (isPoll) return { status: 200, text: newest() }
    try {
      return { status: 200, text: await current(newest), type: 'text/html' }
    } catch (error) {
      const why = sanitiseLine(thrownMessage(error))
      return { status: 500, text: `The session cannot be read: ${why}\n` }
    }
  }
  const { headersTimeout, requestTimeout, idle } = LIMITS
  const server = createServer({ headersTimeout, requestTimeout }, (request, response) => {
    void answer(request).then((one) => send(response, one))
  })
  server.maxConnections = MOST_CONNECTIONS
  // Also ends a connection whose reader takes nothing of the page.
  server.timeout = idle
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/${token}/`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Returns true when the log has nothing of the session any more. A log that cannot be read has not lost it. */
async function isDeleted(workspace: PageSession['workspace']): Promise<boolean> {
  const newest = await workspace.entries(workspace.state.seq).catch(() => null)
  return newest?.length === 0
}

/** An answer to a request. */
interface Answer {
  readonly status: number
  readonly text: string
  /** Plain text when absent. */
  readonly type?: string
}

function send(response: ServerResponse, { status, text, type = 'text/plain' }: Answer): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': `${pagePolicy(true)}; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'GET, HEAD' }),
  })
  // Node sends no body to a request of HEAD.
  response.end(text)
}

/** Creates a function that returns the page of the newest entry. It is written once, however many readers ask. */
function currentPage(session: PageSession): (newest: () => string) => Promise<string> {
  const read = createPageReader(session)
  let last = { newest: '', text: '' }
  let writing: Promise<string> | null = null
  const write = async (newest: string): Promise<string> => {
    const text = writePage(await read(), newest)
    last = { newest, text: session.redactor?.text(text) ?? text }
    return last.text
  }
  return async (newest) => {
    if (writing === null && last.newest === newest()) return last.text
    writing ??= write(newest()).finally(() => (writing = null))
    return writing
  }
}
