import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { openProxyTo } from './raw-socket.ts'

/** A key of this file, and a certificate for localhost that it signed itself, until the year 2126. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKxL8kN3tz+Mdy/I6
fTKcTf6ZOC5GQc8V5HHmF1eCIOyhRANCAARxlgSS1gQhA/t1DAE8SSWiuVtVKkw+
uGCuGwjJkVhHR9UcsvahG/oRBvKcMDeRzmxEKyuiIgfFNK3guJ4dWX4x
-----END PRIVATE KEY-----`

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmTCCAT6gAwIBAgIUL4ocCnvG93rtXGMHiGjPuM8wZDIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDA5MTIwNFoYDzIxMjYxMTA2
MDkxMjA0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARxlgSS1gQhA/t1DAE8SSWiuVtVKkw+uGCuGwjJkVhHR9UcsvahG/oR
BvKcMDeRzmxEKyuiIgfFNK3guJ4dWX4xo2wwajAdBgNVHQ4EFgQUffdYXroXtYOT
olDiefX7qNHkp1AwHwYDVR0jBBgwFoAUffdYXroXtYOTolDiefX7qNHkp1AwGgYD
VR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0E
AwIDSQAwRgIhAOajVUSMm38FW+960qFLXDmou6BUo68Zu7ragr58RA1DAiEAm7ke
POFVNAJEYcEByjDscrtF27csXh45eEc2FgkOm0c=
-----END CERTIFICATE-----`

async function openTlsUpstream(): Promise<URL> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    void text(request).then((body) =>
      response.end(`${request.headers.host} ${request.url} ${body}`),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return new URL(`https://localhost:${(server.address() as AddressInfo).port}/base`)
}

function trustUpstream(): void {
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, CERTIFICATE])
  onTestFinished(() => setDefaultCACertificates(known))
}

test('an upstream that proves its name gets the request over TLS', async () => {
  trustUpstream()
  const url = await openTlsUpstream()
  const { connect, head, seen, ended } = await openProxyTo(url)
  const client = await connect()
  for (const body of ['one', 'two']) {
    client.send(head('POST /model/v1', 'content-length: 3'), body)
    expect((await client.message()).body.toString()).toBe(`${url.host} /base/v1 ${body}`)
  }
  await ended(2)
  expect(seen[0]?.head.url).toBe(`${url.href}/v1`)
})

test('an upstream that does not prove its name gets nothing', async () => {
  const url = await openTlsUpstream()
  const { connect, head, seen, ended } = await openProxyTo(url)
  const client = await connect()
  client.send(head('POST /model/v1', 'content-length: 3'), 'one')
  const answer = await client.message()
  expect(answer.start).toBe('HTTP/1.1 502 Bad Gateway')
  expect(answer.body.toString()).toContain('self-signed certificate')
  await ended(1)
  expect(seen[0]?.how).toBe('upstream-failed')
})

/** A proxy for tunnels, and the addresses that it was asked for. */
async function aTunnel() {
  const asked: string[] = []
  const server = createHttpServer()
  server.on('connect', ({ url = '' }, client: Socket, head) => {
    asked.push(url)
    const upstream = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each([
  { no: 'example.org', through: 1 },
  { no: 'localhost', through: 0 },
])('with NO_PROXY=$no, $through requests go through HTTPS_PROXY', async ({ no, through }) => {
  trustUpstream()
  const tunnel = await aTunnel()
  const url = await openTlsUpstream()
  const env = { HTTPS_PROXY: tunnel.address, HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: no }
  const { connect: open, head, ended } = await openProxyTo(url, undefined, env)
  const client = await open()
  client.send(head('POST /model/v1', 'content-length: 3'), 'one')
  expect((await client.message()).body.toString()).toBe(`${url.host} /base/v1 one`)
  await ended(1)
  expect(tunnel.asked).toEqual(through === 1 ? [url.host] : [])
})

test('an upstream on this machine is reached without HTTP_PROXY', async () => {
  const server = createHttpServer((_, response) => response.end('here'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const dead = 'http://127.0.0.1:1'
  const env = { HTTPS_PROXY: dead, HTTP_PROXY: dead }
  const { connect: open, head } = await openProxyTo(url, undefined, env)
  const client = await open()
  client.send(head('GET /model/v1'))
  expect((await client.message()).body.toString()).toBe('here')
})
