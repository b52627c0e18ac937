import { ToolError } from 'loadout'

/**
 * An address a model gave, when it is on one of the origins the operator named. The whole origin is
 * compared (scheme, host, port), after the URL parser has settled every spelling of it: a name that
 * only begins alike, another port, credentials before the host or `file:` are not on the list, and
 * neither is any private address that the operator did not name.
 */
export function allowedUrl(address: string, origins: readonly string[]): URL {
  const url = URL.parse(address)
  if (url === null) throw new ToolError('VALIDATION', `${JSON.stringify(address)} is no URL.`)
  if (url.username !== '' || url.password !== '') {
    throw new ToolError('DENIED', 'An address with credentials in it is not requested.')
  }
  const known = origins.map((origin) => URL.parse(origin)?.origin)
  if (url.origin !== 'null' && known.includes(url.origin)) return url
  const list = origins.length === 0 ? 'None may be' : `These may be: ${origins.join(', ')}`
  throw new ToolError('DENIED', `${url.origin} may not be reached from here. ${list}.`, {
    details: { origin: url.origin, origins: [...origins] },
  })
}
