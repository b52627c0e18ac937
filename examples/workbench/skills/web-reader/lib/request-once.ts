import type { IncomingMessage } from 'node:http'
import { checkLiteralHost, guardedLookup } from './guarded-lookup.ts'

export interface RequestOptions {
  readonly allowPrivateHosts: boolean
  readonly signal: AbortSignal
}

/** Send one GET and resolve when the head of the answer is there; follows nothing. */
export async function requestOnce(
  url: URL,
  { allowPrivateHosts, signal }: RequestOptions,
): Promise<IncomingMessage> {
  if (!allowPrivateHosts) checkLiteralHost(url)
  // Both take long to load, and most sessions ask for no page.
  const http = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      signal,
      agent: false,
      headers: {
        accept: 'text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.8, */*;q=0.1',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'loadout-workbench',
      },
      ...(!allowPrivateHosts && { lookup: guardedLookup }),
    })
    request.on('response', resolve)
    request.on('error', reject)
    request.end()
  })
}
