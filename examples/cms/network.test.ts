import { VirtualWorkspace, type ToolResponse } from 'loadout'
import { expect, test } from 'vitest'
import { cmsCatalog } from './cms-catalog.ts'
import type { CmsServices } from './cms-services.ts'
import { allowedUrl } from './remote/allowed-url.ts'
import { aSite } from './testing/a-site.ts'
import { loopback, type Given } from './testing/loopback.ts'

const catalog = await cmsCatalog()

async function call(
  services: Partial<CmsServices>,
  tool: string,
  input: object,
): Promise<ToolResponse> {
  const options = { catalog, agent: 'editor', services: aSite(services) }
  const workspace = await VirtualWorkspace.open(options)
  return workspace.callTool(tool, input, { caller: 'model' })
}

const allowed = ['https://api.example.com', 'http://127.0.0.1:8080']

test.each([
  'https://api.example.com/a?b=c',
  'https://API.example.com:443/',
  'http://127.0.0.1:8080/x',
  'http://2130706433:8080/x',
])('%s is on an origin that was named', (address) => {
  expect(allowedUrl(address, allowed)).toBeInstanceOf(URL)
})

test.each([
  'http://api.example.com/',
  'https://api.example.com.evil.test/',
  'https://api.example.com@evil.test/',
  'https://user:secret@api.example.com/',
  'https://api.example.com:8443/',
  'http://127.0.0.1/',
  'http://127.0.0.1:8081/',
  'http://[::1]:8080/',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'data:text/plain,a',
  'javascript:1',
  '//api.example.com/',
  'api.example.com',
  '',
])('%j is on none', (address) => {
  expect(() => allowedUrl(address, allowed)).toThrow(/may not be reached|credentials|no URL/u)
})

test('an origin that has no name is not reached because another without one was listed', () => {
  expect(() => allowedUrl('file:///etc/passwd', ['file:///srv', 'nonsense'])).toThrow('not be')
})

test('a redirect is not followed, to wherever it leads', async () => {
  await using elsewhere = await loopback(() => ({ body: { secret: true } }))
  const headers = { location: `${elsewhere.origin}/secret` }
  await using server = await loopback(() => ({ status: 302, headers, body: {} }))
  const answer = await call({ origins: [server.origin] }, 'http_get', { url: server.origin })
  expect(answer).toMatchObject({ ok: false, error: { type: 'PERMANENT' } })
  expect(elsewhere.asked).toEqual([])
})

test('an answer that is too large is given up on, one that is long is cut and says so', async () => {
  await using server = await loopback(({ url }) => {
    return { type: 'text/plain', body: 'x'.repeat(url === '/huge' ? 2_000_000 : 30_000) }
  })
  const services = { origins: [server.origin] }
  const huge = await call(services, 'http_get', { url: `${server.origin}/huge` })
  expect(huge).toMatchObject({ ok: false, error: { type: 'PERMANENT' } })
  const long = await call(services, 'http_get', { url: `${server.origin}/long` })
  expect(long).toMatchObject({ ok: true, data: { status: 200, cut: true } })
})

test('an error status is an answer of http_get', async () => {
  await using server = await loopback(() => ({ status: 503, body: { down: true } }))
  const answer = await call({ origins: [server.origin] }, 'http_get', { url: server.origin })
  expect(answer).toMatchObject({ ok: true, data: { status: 503, body: '{"down":true}' } })
})

test.each<[what: string, given: Given, type: string, retryable: boolean]>([
  ['is busy', { status: 429, body: {} }, 'RATE_LIMIT', true],
  ['refuses the key', { status: 401, body: {} }, 'AUTH', false],
  ['is down', { status: 503, body: {} }, 'TRANSIENT', true],
  ['has nothing', { status: 404, body: {} }, 'NOT_FOUND', false],
  ['does not like the request', { status: 400, body: {} }, 'PERMANENT', false],
  ['answers in another form', { body: { hits: [] } }, 'PERMANENT', false],
  ['answers with a page', { type: 'text/html', body: '<html>' }, 'PERMANENT', false],
])('a service that %s is a failure of its own type', async (_, given, type, retryable) => {
  await using server = await loopback(() => given)
  const research = { baseUrl: server.origin }
  const answer = await call({ research }, 'web_quickSearch', { query: 'a' })
  expect(answer).toMatchObject({ ok: false, error: { type, retryable } })
})

test('a service that is not there can be tried again, one that is not set up cannot', async () => {
  const server = await loopback(() => undefined)
  await server[Symbol.asyncDispose]()
  const research = { baseUrl: server.origin }
  const gone = await call({ research }, 'web_quickSearch', { query: 'a' })
  expect(gone).toMatchObject({ ok: false, error: { type: 'TRANSIENT' } })
  const none = await call({}, 'pexels_searchPhotos', { query: 'a' })
  expect(none).toMatchObject({ ok: false, error: { type: 'AUTH' } })
})

test('a connection that ends in the middle of an answer can be tried again', async () => {
  const headers = { 'content-length': '100' }
  await using server = await loopback(() => ({ headers, body: 'half', cutOff: true }))
  const answer = await call({ origins: [server.origin] }, 'http_get', { url: server.origin })
  expect(answer).toMatchObject({ ok: false, error: { type: 'TRANSIENT', retryable: true } })
})

test('a photo comes from where photos come from, whatever the service says', async () => {
  await using elsewhere = await loopback(() => ({ type: 'image/jpeg', body: new Uint8Array(3) }))
  const src = { medium: elsewhere.origin, large: `${elsewhere.origin}/l.jpg` }
  await using server = await loopback(() => ({
    body: { id: 7, alt: 'Snow', photographer: 'Ida', src },
  }))
  const pexels = { baseUrl: server.origin, photos: [server.origin] }
  const answer = await call({ pexels }, 'pexels_downloadPhoto', { photo: 7 })
  expect(answer).toMatchObject({ ok: false, error: { type: 'DENIED' } })
  expect(elsewhere.asked).toEqual([])
})
