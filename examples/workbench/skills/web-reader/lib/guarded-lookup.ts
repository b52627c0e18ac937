import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { ToolError } from 'loadout'
import { isPublicAddress } from './is-public-address.ts'

/**
 * Resolve names for a connection, and refuse those that lead to this machine or its networks.
 *
 * Handed to the request, so that the address looked at is the very one connected to: a name
 * that resolves differently the second time gains nothing. One closed address among several is
 * enough to refuse.
 */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  const every: LookupOptions & { all: true } = { ...options, all: true }
  lookup(hostname, every, (error, addresses: readonly LookupAddress[]) => {
    if (error !== null) return callback(error, [])
    const closed = addresses.find(({ address }) => !isPublicAddress(address))
    if (closed !== undefined) return callback(closedHost(hostname), [])
    if (options.all === true) return callback(null, [...addresses])
    const [first] = addresses
    return callback(null, first?.address ?? '', first?.family)
  })
}

/** Addresses written as numbers are never looked up, so they are held against the rule here. */
export function checkLiteralHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw closedHost(host)
}

function closedHost(host: string): ToolError {
  return new ToolError('DENIED', `"${host}" is not on the public internet, so it is not read.`, {
    details: { host },
  })
}
