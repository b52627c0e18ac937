import type { CmsServices } from '../cms-services.ts'
import { aSite } from './a-site.ts'
import { loopback, type Asked, type Given } from './loopback.ts'

/** The seeded site, with research, Pexels and an API on one server on loopback. */
export async function servicesOnLoopback() {
  const server = await loopback((asked) => answerOf(asked, server.origin))
  const { origin, asked } = server
  const services: CmsServices = aSite({
    research: { baseUrl: `${origin}/web/`, key: 'Bearer r' },
    pexels: { baseUrl: `${origin}/pexels`, key: 'p', photos: [origin] },
    origins: [origin],
  })
  return {
    services,
    origin,
    asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const SOURCES = [{ url: 'https://example.com/a', title: 'A' }]

function answerOf({ url }: Asked, origin: string): Given | undefined {
  const photo = {
    id: 77,
    alt: '',
    photographer: 'Ida',
    src: { medium: `${origin}/m.jpg`, large: `${origin}/l.jpg` },
  }
  const path = new URL(url, origin).pathname
  switch (path) {
    case '/status':
      return { body: { up: true } }
    case '/hook':
      return { body: { taken: true }, status: 202 }
    case '/web/search':
      return { body: { results: SOURCES.map((source) => ({ ...source, snippet: 'Quiet.' })) } }
    case '/web/research':
      return { body: { report: 'Quiet nights.', sources: SOURCES } }
    case '/web/contents':
      return { body: { ...SOURCES[0], text: 'All of it.' } }
    case '/pexels/v1/search':
      return { body: { photos: [photo] } }
    case '/pexels/v1/photos/77':
      return { body: photo }
    case '/l.jpg':
      return { type: 'image/jpeg', body: new Uint8Array([0xff, 0xd8, 0xff]) }
    default:
      return undefined
  }
}
