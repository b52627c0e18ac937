import { ToolError } from 'loadout'

/** An address that may be fetched: http or https, without a name and password in it. */
export function pageUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null) throw refused(text, 'is not a web address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(text, `uses ${url.protocol} where only http: and https: are read`)
  }
  if (url.username !== '' || url.password !== '') throw refused(text, 'carries a name or password')
  url.hash = ''
  return url
}

function refused(text: string, why: string): ToolError {
  const shown = JSON.stringify(text.slice(0, 200))
  return new ToolError('VALIDATION', `The address ${shown} ${why}.`)
}
